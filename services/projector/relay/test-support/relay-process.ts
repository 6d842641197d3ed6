import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { kafkaElection } from '../../feed/kafka/kafka-election.js';
import { openKafkaPublisher } from '../../feed/kafka/kafka-publisher.js';
import { runRelay } from '../run-relay.js';

/**
 * A relay until it is killed, or told to end by SIGTERM; each line of its log goes to stdout.
 * Arguments: the ledger's file, the broker, partitions, ms of the session.
 */
const [path = '', broker = '', partitions = '1', session = '6000'] = process.argv.slice(2);
const say = (fields: object, sentence: string) => process.stdout.write(`${JSON.stringify({ ...fields, sentence })}\n`);
const log = { info: say, warn: say };
const ledger = await openSqliteLedger(path);
const place = { brokers: [broker], ledger: ledger.id, partitions: Number(partitions) };
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
await runRelay(
  {
    ledger,
    openPublisher: () => openKafkaPublisher(place),
    elect: kafkaElection({ ...place, log, sessionTimeout: Number(session) }),
    log,
  },
  stopping.signal,
);
await ledger.close();
say({}, 'ended');
