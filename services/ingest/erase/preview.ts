import { memoryStream } from '#events/stream-name.js';
import { openEvent } from '#sealing/open-event.js';
import type { ErasingDeps } from './erasing-deps.js';

/** Characters of a preview. */
const longest = 120;

/** The beginning of what a memory's latest version says. */
export async function previewOf({ ledger, vault }: ErasingDeps, bank: string, memoryId: string): Promise<string> {
  const stream = memoryStream(ledger.id, bank, memoryId);
  for await (const stored of ledger.readStream(stream, { direction: 'backward' })) {
    if (stored.type !== 'MemoryRecorded' && stored.type !== 'MemoryRevised') continue;
    const { event } = await openEvent(vault, stored.bytes);
    if (event.type !== 'MemoryRecorded' && event.type !== 'MemoryRevised') break;
    const content: unknown = JSON.parse(event.content.content);
    const text = typeof content === 'string' ? content : event.content.content;
    const start = [...text.slice(0, longest * 2)].slice(0, longest).join('');
    return start === text ? text : `${start}…`;
  }
  return '';
}
