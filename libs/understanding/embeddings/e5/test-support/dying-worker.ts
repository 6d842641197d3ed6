import { parentPort } from 'node:worker_threads';
import type { TextToEmbed } from '../worker-protocol.js';

/** A thread that has a text of the background in hand, and ends when something is asked meanwhile. */
parentPort!.on('message', ({ lane }: TextToEmbed) => {
  if (lane === 'asked') process.exit(3);
});
parentPort!.postMessage({ loaded: 'plain' });
