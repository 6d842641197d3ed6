import { type AnyEvent, catalogue, isEventType } from './catalogue.js';
import type { Envelope } from './envelope.js';

/** The event is of a type, or a schema version, that this release does not know: a newer release wrote it. */
export class UnknownEventError extends Error {
  override readonly name = 'UnknownEventError';
}

/**
 * The typed event of an envelope and its opened content, brought up to today's schema version.
 * `content` is undefined when the box cannot be opened: then only `data` is checked, and what comes back has no content.
 * @throws UnknownEventError for what a newer release wrote; ZodError for what no release could have written
 */
export function readEvent(stored: Envelope, content: unknown): AnyEvent {
  if (!isEventType(stored.type)) {
    throw new UnknownEventError(
      `event ${stored.id} is a ${stored.type}, which this release does not know: install the release that wrote it`,
    );
  }
  const definition = catalogue[stored.type];
  if (stored.schema > definition.schema) {
    throw new UnknownEventError(
      `event ${stored.id} is a ${stored.type} of schema ${stored.schema}, this release knows up to ${definition.schema}: install the release that wrote it`,
    );
  }
  let current = {
    data: structuredClone(stored.data),
    content: structuredClone(content) as Record<string, unknown> | undefined,
    recordedAt: stored.recordedAt,
  };
  for (let schema = stored.schema; schema < definition.schema; schema++) {
    const upcaster = definition.upcasters.find((each) => each.from === schema);
    if (!upcaster) throw new UnknownEventError(`no upcaster takes ${stored.type} from schema ${schema} on`);
    current = { ...upcaster.up(current), recordedAt: stored.recordedAt };
  }
  return {
    type: stored.type,
    data: definition.data.parse(current.data),
    content: current.content === undefined ? undefined : definition.content.parse(current.content),
  } as AnyEvent;
}
