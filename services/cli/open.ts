import type { Opened, OpenOptions } from './opened.js';

/** Opens what the configured profile runs on. Neither loads the other's drivers. @throws HindsightError as the profile's own opening does */
export async function open(options: OpenOptions): Promise<Opened> {
  if (options.config.profile === 'distributed') {
    const { openDistributed } = await import('./distributed/open-distributed.js');
    return openDistributed(options);
  }
  const { openEmbedded } = await import('./embedded/open-embedded.js');
  return openEmbedded(options);
}
