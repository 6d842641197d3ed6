import { renderStored } from '#query/mcp/render/render-stats.js';
import { verb } from '../verb.js';

export const stats = () =>
  verb('stats', 'what the bank holds', async (run) => {
    const { config, queries, caller } = await run.open();
    // People know a bank by its name, the port by its id.
    run.out.answer({ ...(await queries.stats(caller('stats'))), bank: config.bank }, renderStored);
  });
