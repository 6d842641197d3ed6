import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '#ledger/ledger.js';
import type { ViewsReader } from '#views/reader.js';
import type { Views } from '#views/views.js';
import { allPassed } from './views-passed.js';

type Asked = Pick<ViewsReader, 'isMemoryOfAnotherBank'>;

/** Milliseconds that an error waits to be able to say whose a memory is: it is told without that, too. */
const patience = 1_000;
const lookEvery = 20;

/**
 * Whether another bank holds a memory, asked again when all that the ledger holds by now can be read: which bank's views to wait for is not
 * known. It takes that long only for ids that nobody's are.
 */
export function ofAnotherBank(
  reader: Asked,
  views: Pick<Views, 'generations' | 'checkpoints'>,
  head: () => Promise<Position | undefined>,
): Asked['isMemoryOfAnotherBank'] {
  return async (bank, memoryId) => {
    if (await reader.isMemoryOfAnotherBank(bank, memoryId)) return true;
    const target = await head();
    const until = performance.now() + patience;
    while (target !== undefined && performance.now() < until) {
      const passed = await allPassed(views);
      if (passed !== undefined && passed >= target) break;
      await sleep(lookEvery);
    }
    return reader.isMemoryOfAnotherBank(bank, memoryId);
  };
}
