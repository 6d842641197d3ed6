import { execFileSync } from 'node:child_process';
import { EngineMissing } from '../install/engine-missing.js';

/** @throws EngineMissing when it is not installed */
export function redisProgram(): string {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return 'redis-server';
  } catch {
    throw new EngineMissing('Redis is not installed');
  }
}
