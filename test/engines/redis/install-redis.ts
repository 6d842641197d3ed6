import { aptInstall } from '../install/apt.js';
import { redisProgram } from './redis-program.js';

/** From Debian's packages. As root. */
export async function installRedis(): Promise<void> {
  try {
    redisProgram();
  } catch {
    await aptInstall('redis-server', 'procps');
  }
}
