import { startKafka } from './kafka/start-kafka.js';
import { startPostgres } from './postgres/start-postgres.js';
import { startRedis } from './redis/start-redis.js';

/** A process that starts engines, one of them paused, says where they are, and is then killed by a test. */
const [postgres, redis, kafka] = await Promise.all([startPostgres(), startRedis(), startKafka()]);
postgres.pause();
const folders = [postgres.folder, redis.folder, kafka.folder];
const ports = [postgres.url, redis.url, `kafka://${kafka.brokers}`].map((address) => Number(new URL(address).port));
process.stdout.write(`${JSON.stringify({ folders, ports })}\n`);
setInterval(() => {}, 1_000);
