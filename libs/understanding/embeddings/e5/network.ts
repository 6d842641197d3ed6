import { type WasmMemory, wasm } from '../wasm.js';
import type { ModelPack } from './pack.js';

/** Kernel semantics: raised whenever the same pieces would give other bits, since vectors of both may not be compared. */
export const networkVersion = 1;

export const dimensions = 384;
/** The most pieces that the model has positions for. */
export const mostPieces = 512;

/** What `models/kernels/network.c` exports. */
export interface Kernel {
  readonly memory: WasmMemory;
  /** 0 where the engine miscomputes. */
  sound(): number;
  reserve(bytes: number): number;
  pieces(): number;
  result(): number;
  load(words: number, positions: number, floats: number, blocks: number): void;
  embed(pieces: number): void;
}

export interface Network {
  /** A unit vector of 1 to 512 pieces. */
  embed(pieces: readonly number[]): Float32Array;
}

/** A build of the kernel; nothing where the engine lacks its instructions, or computes them wrongly. */
export async function openKernel(program: Uint8Array): Promise<Kernel | undefined> {
  if (!wasm.validate(program)) return undefined;
  const { instance } = await wasm.instantiate(program);
  const kernel = instance.exports as unknown as Kernel;
  return kernel.sound() ? kernel : undefined;
}

/** Loads the weights into a kernel's own memory; the pack is not needed afterwards. */
export function createNetwork({ memory, reserve, pieces, result, load, embed }: Kernel, pack: ModelPack): Network {
  const placed = (bytes: Uint8Array): number => {
    const at = reserve(bytes.byteLength);
    if (at === 0) throw new Error('There is no memory for the model.');
    new Uint8Array(memory.buffer, at, bytes.byteLength).set(bytes);
    return at;
  };
  load(
    placed(pack.section('words')),
    placed(pack.section('positions')),
    placed(pack.section('floats')),
    placed(pack.section('blocks')),
  );
  return {
    embed(numbers) {
      if (numbers.length < 1 || numbers.length > mostPieces)
        throw new RangeError(`${numbers.length} pieces were given; 1 to ${mostPieces} are taken.`);
      // The memory may have grown, and its buffer been replaced, since.
      new Int32Array(memory.buffer, pieces(), numbers.length).set(numbers);
      embed(numbers.length);
      return new Float32Array(memory.buffer, result(), dimensions).slice();
    },
  };
}
