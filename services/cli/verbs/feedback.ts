import { HindsightError } from '#contract/errors.js';
import type { FeedbackInput } from '#contract/feedback.js';
import { ratingOutcomes } from '#events/memory-rated.js';
import { weightText } from '#query/mcp/render/render-feedback.js';
import { idOf, timesNamed } from '../named-memory.js';
import { wholeNumber } from '../options.js';
import { verb } from '../verb.js';

interface Options {
  key?: string;
  recallId?: string;
  ofVersion?: number;
  note?: string;
}

export const feedback = () =>
  verb<Options>('feedback', 'say how a memory fared when it was used', async (run, options, [outcome, id]) => {
    const named = { id, key: options.key };
    if (timesNamed(named) !== 1) throw new HindsightError('invalid_input', 'Name the memory by its id or by --key.');
    const { commands, queries, caller } = await run.open();
    const who = caller('feedback');
    const { recallId: recall_id, ofVersion: version, note } = options;
    const asked = { outcome: outcome as FeedbackInput['outcome'], recall_id, version, note };
    run.out.answer(
      await commands.rate({ memory_id: await idOf(named, queries, who), ...asked }, who),
      (done) =>
        `${done.status}: ${outcome}, ${done.memory_id}, version ${done.version}; its weight is ${weightText(done.weight)}`,
    );
  })
    .argument('<outcome>', `one of ${ratingOutcomes.join(', ')}`)
    .argument('[memory-id]', 'as `search` names it')
    .option('--key <slot>', 'the memory of this slot, instead of its id')
    .option('--recall-id <id>', 'the answer that it was served in')
    .option('--of-version <number>', 'the version that was served; the latest by default', wholeNumber)
    .option('--note <text>', 'what happened: it stays on record');
