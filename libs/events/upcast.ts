import { type AnyEvent, catalogue, type EventType, isEventType } from './catalogue.js';
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
  const current = broughtUp(stored, content as Record<string, unknown> | undefined, definition);
  return {
    type: stored.type,
    data: definition.data.parse(current.data),
    content: current.content === undefined ? undefined : definition.content.parse(current.content),
  } as AnyEvent;
}

interface Parts {
  readonly data: Record<string, unknown>;
  readonly content: Record<string, unknown> | undefined;
}

// Copies only what is upcast: the schemas make new objects of everything else.
function broughtUp(
  { type, schema: from, data, recordedAt }: Envelope,
  content: Parts['content'],
  { schema: to, upcasters }: (typeof catalogue)[EventType],
): Parts {
  let current: Parts = from < to ? structuredClone({ data, content }) : { data, content };
  for (let schema = from; schema < to; schema++) {
    const upcaster = upcasters.find((each) => each.from === schema);
    if (!upcaster) throw new UnknownEventError(`no upcaster takes ${type} from schema ${schema} on`);
    current = upcaster.up({ ...current, recordedAt });
  }
  return current;
}
