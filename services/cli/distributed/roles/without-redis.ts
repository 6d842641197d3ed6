import type { Engines } from '../engines.js';

/** What is slower, or seen later, while Redis is away; nothing where there is none in the settings. */
export function withoutRedis({ hotIsThere }: Pick<Engines, 'hotIsThere'>): string[] {
  return hotIsThere() ? [] : ['Redis: no answer; nothing is lost, and some things take longer.'];
}
