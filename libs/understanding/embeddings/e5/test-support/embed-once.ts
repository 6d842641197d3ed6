import { openE5 } from '../open-e5.js';

/** A process that does nothing but one text, with a thread that it never closes. */
const embedder = openE5({ worker: process.argv[2] });
await embedder.space();
const [vector] = await embedder.embed(['a text'], 'query');
process.stdout.write(`${vector!.length}`);
