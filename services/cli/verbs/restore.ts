import { reasonFor } from '../ask.js';
import { verb } from '../verb.js';

export const restore = () =>
  verb<{ reason?: string }>('restore', 'serve a forgotten memory again', async (run, options, [id = '']) => {
    const reason = await reasonFor(options.reason);
    const { commands, caller } = await run.open();
    run.out.answer(
      await commands.restore({ memory_id: id, reason }, caller('restore')),
      (done) => `${done.status}: ${done.memory_id}, version ${done.version}`,
    );
  })
    .argument('<memory-id>', 'as `forget` named it')
    .option('--reason <text>', 'why: it stays on record');
