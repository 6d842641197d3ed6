import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddingRole } from '../embedder.js';
import { wasm } from '../wasm.js';
import { createNetwork } from './network.js';
import { readPack } from './pack.js';
import { createTokenizer } from './tokenizer.js';

export type KernelBuild = 'relaxed' | 'plain';

export interface ModelPlaces {
  /** Of model.bin. */
  readonly folder: string;
  /** Of the builds of the kernel. */
  readonly kernels: string;
  /** Pieces after which a text is cut, at most 512. */
  readonly pieces: number;
  /** Instead of the fastest that this machine runs. */
  readonly build?: KernelBuild;
}

export interface Model {
  readonly build: KernelBuild;
  embed(text: string, role: EmbeddingRole): Float32Array;
}

/**
 * Reads, checks and loads the model where it is called: about half a second of work.
 * @throws Error in words
 */
export async function loadModel({ folder, kernels, pieces, build: wanted }: ModelPlaces): Promise<Model> {
  const pack = await readPack(folder);
  const tokenizer = createTokenizer(pack);
  const { build, bytes } = await chooseKernel(kernels, wanted);
  const network = await createNetwork(bytes, pack);
  return { build, embed: (text, role) => network.embed(tokenizer.pieces(`${role}: ${text}`, pieces)) };
}

/** Both builds give the same bits (model.int.spec.ts); the relaxed one is about twice as fast where the engine has it. */
async function chooseKernel(folder: string, wanted?: KernelBuild): Promise<{ build: KernelBuild; bytes: Uint8Array }> {
  const bytesOf = (build: KernelBuild): Promise<Buffer> => readFile(join(folder, `network-${build}.wasm`));
  if (wanted !== 'plain') {
    const bytes = await bytesOf('relaxed');
    if (wanted === 'relaxed' || wasm.validate(bytes)) return { build: 'relaxed', bytes };
  }
  return { build: 'plain', bytes: await bytesOf('plain') };
}
