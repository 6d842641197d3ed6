import { existsSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import { counted, size } from '#query/mcp/render/shown.js';
import { openDatabase } from '#sqlite/open-database.js';
import { loadModel } from '#understanding/embeddings/e5/model.js';
import { type ShippedPlaces, shippedPlaces } from '#understanding/embeddings/e5/places.js';
import { type EmbeddingSettings, openEmbedder } from '#understanding/embeddings/open-embedder.js';
import { type Looked, warning, well, wrong } from './finding.js';

/** Milliseconds that a server gets: one that loads its model at the first question takes a while. */
const patience = 20_000;

const meanwhile = 'Keywords answer meanwhile.';

/** What finds memories by meaning: the model that ships, whole and able to run here; or the server, and what it answers with. */
export async function checkEmbeddings(
  config: EmbeddingSettings,
  options: { readonly places?: () => ShippedPlaces; readonly patience?: number } = {},
): Promise<Looked[]> {
  if (config.embeddings === 'none') return [well('embeddings', 'none: memories are found by keywords alone')];
  if (config.embeddings === 'e5') return [await checkShipped(options.places ?? shippedPlaces)];
  return [await checkServer(config, options.patience ?? patience), ...adviceFor(config)];
}

async function checkShipped(places: () => ShippedPlaces): Promise<Looked> {
  try {
    const { build, embed } = await loadModel({ ...places(), pieces: 16 });
    const began = performance.now();
    embed('Does it run here?', 'query');
    const took = (performance.now() - began).toFixed(0);
    return well('embeddings', `e5 is whole and runs here (the ${build} kernel, ${took} ms for a short question)`);
  } catch (error) {
    return wrong(
      'embeddings',
      `e5 cannot be used: ${(error as Error).message}`,
      `Install the package again. ${meanwhile}`,
    );
  }
}

async function checkServer(config: EmbeddingSettings, within: number): Promise<Looked> {
  const embedder = openEmbedder(config, { log: { info: () => undefined, warn: () => undefined } })!;
  const late = sleep(within, undefined, { ref: false }).then(() =>
    Promise.reject(new Error(`it did not answer within ${within / 1000} s`)),
  );
  try {
    const space = await Promise.race([embedder.space(), late]);
    const began = performance.now();
    await Promise.race([embedder.embed(['Does it answer?'], 'query', { background: true }), late]);
    const took = (performance.now() - began).toFixed(0);
    return well(
      'embeddings',
      `${embedder.name} answers with ${space.dimensions} dimensions (${took} ms for a short question)`,
    );
  } catch (error) {
    const says = isHindsightError(error)
      ? error.message
      : `The embedding server ${embedder.name}: ${(error as Error).message}.`;
    return wrong(
      'embeddings',
      says,
      `Start it, or correct HINDSIGHT_LEDGER_EMBEDDINGS and what belongs to it. ${meanwhile}`,
    );
  } finally {
    await embedder.close();
  }
}

/** What works, and is most likely not meant. */
function adviceFor(config: EmbeddingSettings): Looked[] {
  const { embeddings, embeddingsModel = '', embeddingsInputTypes, embeddingsQueryPrefix } = config;
  const advice: Looked[] = [];
  const { protocol, hostname } = new URL(embeddings);
  if (protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    advice.push(
      warning(
        'embeddings',
        `What is written and asked is sent to ${hostname} unencrypted.`,
        'Use an https address, unless the network in between is your own.',
      ),
    );
  if (/\be5\b/i.test(embeddingsModel) && embeddingsInputTypes.length === 0 && embeddingsQueryPrefix === '')
    advice.push(
      warning(
        'embeddings',
        `${embeddingsModel} is told neither by prefix nor by input type what is a question and what is a text.`,
        'Set HINDSIGHT_LEDGER_EMBEDDINGS_QUERY_PREFIX and _PASSAGE_PREFIX ("query: " and "passage: "), or _EMBEDDINGS_INPUT_TYPES where the server does it (query,passage).',
      ),
    );
  return advice;
}

/** The cache of vectors: whatever is wrong with it costs time alone. */
export function checkCache(path: string): Looked[] {
  if (!existsSync(path)) return [];
  try {
    const db = openDatabase(path, { synchronous: 'NORMAL', readOnly: true });
    try {
      const { vectors } = db.raw.prepare('SELECT count(*) AS vectors FROM vectors').get() as { vectors: number };
      return [well('cache', `${counted(vectors, 'vector')} in ${path} (${size(statSync(path).size)})`)];
    } finally {
      db.close();
    }
  } catch (error) {
    const why = (isHindsightError(error) ? error.message : `${path}: ${(error as Error).message}`).replace(/\.?$/, '.');
    return [
      warning('cache', why, 'Delete it when no process uses the home, or leave it: an empty one takes its place.'),
    ];
  }
}
