import { Redis } from 'ioredis';
import { type Looked, warning, well } from '../../doctor/finding.js';

/** Redis: without it all goes on, and some things take longer. */
export async function checkHot(url: string | undefined): Promise<Looked> {
  const without =
    'Nothing is lost without it: reads take longer, and rate limits hold for each query service by itself.';
  if (!url) return well('redis', 'not configured');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // It is told below, by the call that fails.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1];
    return well('redis', `Redis ${version ?? ''} answers`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message.split('\n')[0];
    return warning(
      'redis',
      `Redis cannot be used: ${code}.`,
      `Start it, or correct HINDSIGHT_LEDGER_REDIS_URL. ${without}`,
    );
  } finally {
    redis.disconnect();
  }
}
