import { HindsightError } from '#contract/errors.js';
import { reasonFor } from '../ask.js';
import { idOf, timesNamed } from '../named-memory.js';
import { verb } from '../verb.js';

export const restore = () =>
  verb<{ key?: string; reason?: string }>('restore', 'serve a forgotten memory again', async (run, options, [id]) => {
    const named = { id, key: options.key };
    if (timesNamed(named) !== 1) throw new HindsightError('invalid_input', 'Name the memory by its id or by --key.');
    const reason = await reasonFor(options.reason);
    const { commands, queries, caller } = await run.open();
    const who = caller('restore');
    run.out.answer(
      await commands.restore({ memory_id: await idOf(named, queries, who), reason }, who),
      (done) => `${done.status}: ${done.memory_id}, version ${done.version}`,
    );
  })
    .argument('[memory-id]', 'as `forget` named it')
    .option('--key <slot>', 'the memory of this slot, instead of its id')
    .option('--reason <text>', 'why: it stays on record');
