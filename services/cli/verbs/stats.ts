import { renderStats } from '../render/stats.js';
import { verb } from '../verb.js';

export const stats = () =>
  verb('stats', 'what the bank holds', async (run) => {
    const { queries, caller } = await run.open();
    run.out.answer(await queries.stats(caller('stats')), (found) => renderStats(found, run.loaded.config.bank));
  });
