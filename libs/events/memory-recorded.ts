import { defineEvent, type EventOf, type Upcaster } from './define-event.js';
import { versionContent, versionData } from './version-fields.js';

/**
 * Schema 1 carried a time to live in seconds; schema 2 carries the moment of expiry, so that no reader has to know
 * which clock the seconds were counted from.
 */
export const ttlToExpiry: Upcaster = {
  from: 1,
  up: ({ data, content, recordedAt }) => {
    const { ttlSeconds, ...rest } = data;
    if (typeof ttlSeconds !== 'number') return { data: rest, content };
    return {
      data: { ...rest, expiresAt: new Date(Date.parse(recordedAt) + ttlSeconds * 1000).toISOString() },
      content,
    };
  },
};

/** A memory's first version. */
export const memoryRecorded = defineEvent(
  'MemoryRecorded',
  2,
  { data: versionData, content: versionContent },
  { upcasters: [ttlToExpiry] },
);
export type MemoryRecorded = EventOf<typeof memoryRecorded>;
