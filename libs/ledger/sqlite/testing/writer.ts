import { writeSync } from 'node:fs';
import { sampleStream } from '../../sample-events.js';
import { openSqliteLedger } from '../sqlite-ledger.js';

/**
 * A process that appends to a ledger until it is killed, or as many events as it is told to; each event's id goes to stdout once
 * it is acknowledged. Arguments: path of the ledger, number of events.
 */
const [path = '', count = 'Infinity'] = process.argv.slice(2);
const ledger = await openSqliteLedger(path);
for (let written = 0; written < Number(count); written += 1) {
  const stream = sampleStream(ledger.id);
  const events = [stream.next({ padding: 500 }), stream.next()];
  await ledger.append(stream.name, events, 'no_stream');
  writeSync(1, `${events.map((each) => each.id).join('\n')}\n`);
}
await ledger.close();
