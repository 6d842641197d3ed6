import type { Position } from '#ledger/ledger.js';
import type { ViewsReader } from '#views/reader.js';
import type { Views } from '#views/views.js';
import { untilAllPassed } from './views-passed.js';

type Asked = Pick<ViewsReader, 'isMemoryOfAnotherBank'>;

/** Milliseconds that an error waits to be able to say whose a memory is: it is told without that, too. */
const patience = 1_000;

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
    await untilAllPassed(views, head, patience);
    return reader.isMemoryOfAnotherBank(bank, memoryId);
  };
}
