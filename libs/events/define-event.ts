import { z } from 'zod';

/** Turns the parsed data and content of one schema version into those of the next. Works on copies: stored bytes stay as they are. */
export interface Upcaster {
  readonly from: number;
  readonly up: (event: {
    data: Record<string, unknown>;
    content: Record<string, unknown> | undefined;
    recordedAt: string;
  }) => {
    data: Record<string, unknown>;
    content: Record<string, unknown> | undefined;
  };
}

/**
 * An event is a fact with a schema and nothing else. `data` is plain (ids, kinds, times, numbers to filter by);
 * `content` is whatever a person wrote, and is sealed before it reaches any disk.
 */
export interface EventDefinition<T extends string, D extends z.ZodType, C extends z.ZodType> {
  readonly type: T;
  readonly schema: number;
  readonly data: D;
  readonly content: C;
  readonly upcasters: readonly Upcaster[];
  /** Whether an answer can change by it: only such events move a basis. */
  readonly changesAnswers: boolean;
}

export interface DomainEvent<T extends string, D, C> {
  readonly type: T;
  readonly data: D;
  readonly content: C;
}

export type EventOf<E> =
  E extends EventDefinition<infer T, infer D, infer C> ? DomainEvent<T, z.infer<D>, z.infer<C>> : never;

export function defineEvent<T extends string, D extends z.ZodType, C extends z.ZodType>(
  type: T,
  schema: number,
  shape: { data: D; content: C },
  options: { upcasters?: readonly Upcaster[]; changesAnswers?: boolean } = {},
): EventDefinition<T, D, C> {
  return {
    type,
    schema,
    ...shape,
    upcasters: options.upcasters ?? [],
    changesAnswers: options.changesAnswers ?? true,
  };
}
