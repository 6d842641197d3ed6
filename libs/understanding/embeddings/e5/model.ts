import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddingRole } from '../embedder.js';
import { createNetwork, type Kernel, openKernel } from './network.js';
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
  /** @param between called before each layer of the network; it may embed another text */
  embed(text: string, role: EmbeddingRole, between?: () => void): Float32Array;
}

/**
 * Reads, checks and loads the model where it is called: about half a second of work.
 * @throws Error in words
 */
export async function loadModel({ folder, kernels, pieces, build: wanted }: ModelPlaces): Promise<Model> {
  const pack = await readPack(folder);
  const tokenizer = createTokenizer(pack);
  const { build, kernel } = await chooseKernel(kernels, wanted);
  const network = createNetwork(kernel, pack);
  return {
    build,
    embed: (text, role, between) => network.embed(tokenizer.pieces(`${role}: ${text}`, pieces), between),
  };
}

/** Both builds give the same bits (model.int.spec.ts); the relaxed one is the faster where the engine has it. */
async function chooseKernel(folder: string, wanted?: KernelBuild): Promise<{ build: KernelBuild; kernel: Kernel }> {
  for (const build of wanted ? [wanted] : (['relaxed', 'plain'] as const)) {
    const kernel = await openKernel(await readFile(join(folder, `network-${build}.wasm`)));
    if (kernel) return { build, kernel };
  }
  throw new Error(`This machine has none of the instructions that the model needs (${wanted ?? 'WebAssembly SIMD'}).`);
}
