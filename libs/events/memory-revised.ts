import { defineEvent, type EventOf } from './define-event.js';
import { versionContent, versionData } from './version-fields.js';

/** A later version of a memory: it holds from its own valid time on, cutting what was said of that time before. */
export const memoryRevised = defineEvent('MemoryRevised', 1, { data: versionData, content: versionContent });
export type MemoryRevised = EventOf<typeof memoryRevised>;
