import { historyInput } from '#contract/history.js';
import { readInput } from '#contract/input/read-input.js';
import { parameters, span } from '../options.js';
import { renderHistory } from '../render/items.js';
import { verb } from '../verb.js';

export const history = () =>
  verb<Record<string, unknown>>('history', 'how a memory came to say what it says', async (run, options, [id]) => {
    const input = readInput(historyInput, {
      ...(id ? { memory_id: id } : {}),
      ...parameters(options, ['key', 'as_of', 'valid_at', 'valid_during', 'include_reads', 'basis']),
    });
    const { queries, caller } = await run.open();
    run.out.answer(await queries.history(input, caller('history')), (found) =>
      renderHistory(found, run.out, input.valid_at !== undefined || input.valid_during !== undefined),
    );
  })
    .argument('[memory-id]', 'as `search` names it')
    .option('--key <slot>', 'the slot, instead of the id')
    .option('--as-of <time>', 'as it was known at this time')
    .option('--valid-at <time>', 'only what was ever said to be true at this time')
    .option('--valid-during <from/to>', 'only what was ever said to be true at any time in this span', span)
    .option('--include-reads', 'also who was served it, when and with what score; that you asked is put on record')
    .option('--basis <token>', 'as it was known at this basis');
