import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { type Appender, rawDriver, sealedLedger } from './appenders.js';

/**
 * A process of `bench/writers.ts`: on each message it appends one event after the other for so many milliseconds, and answers with
 * the milliseconds that each took. Arguments: `raw` or `ledger`, path of the file.
 */
const [kind, path = ''] = process.argv.slice(2);
const appender = await open();

async function open(): Promise<Appender> {
  if (kind === 'ledger') return sealedLedger(await openSqliteLedger(path));
  return rawDriver(path, 709);
}

process.on('message', async (milliseconds: number) => {
  const times: number[] = [];
  const until = performance.now() + milliseconds;
  while (performance.now() < until) times.push(await appender.append(1));
  process.send?.(times);
});
process.send?.('ready');
