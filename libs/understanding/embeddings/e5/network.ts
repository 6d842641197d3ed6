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
  layers(): number;
  /** Where the state is that one step leaves to the next: `dimensions` floats a piece, and nothing else. */
  hidden(): number;
  begin(pieces: number): void;
  layer(which: number, pieces: number): void;
  finish(pieces: number): void;
}

export interface Network {
  /**
   * A unit vector of 1 to 512 pieces.
   * @param between called before each layer; it may embed another text, which changes nothing about this one
   */
  embed(pieces: readonly number[], between?: () => void): Float32Array;
}

/** A build of the kernel; nothing where the engine lacks its instructions, or computes them wrongly. */
export async function openKernel(program: Uint8Array): Promise<Kernel | undefined> {
  if (!wasm.validate(program)) return undefined;
  const { instance } = await wasm.instantiate(program);
  const kernel = instance.exports as unknown as Kernel;
  return kernel.sound() ? kernel : undefined;
}

/** Loads the weights into a kernel's own memory; the pack is not needed afterwards. */
export function createNetwork(kernel: Kernel, pack: ModelPack): Network {
  const { memory } = kernel;
  const placed = (bytes: Uint8Array): number => {
    const at = kernel.reserve(bytes.byteLength);
    if (at === 0) throw new Error('There is no memory for the model.');
    new Uint8Array(memory.buffer, at, bytes.byteLength).set(bytes);
    return at;
  };
  kernel.load(
    placed(pack.section('words')),
    placed(pack.section('positions')),
    placed(pack.section('floats')),
    placed(pack.section('blocks')),
  );
  // The memory may have grown, and its buffer been replaced, since.
  const floats = (at: number, count: number): Float32Array => new Float32Array(memory.buffer, at, count);

  /** Pieces of the text that is between two of its layers, whose state is in the kernel; 0 where there is none. */
  let paused = 0;

  function pause(count: number, between: () => void): void {
    paused = count;
    try {
      between();
    } finally {
      paused = 0;
    }
  }

  function compute(numbers: readonly number[], between?: () => void): Float32Array {
    const count = numbers.length;
    new Int32Array(memory.buffer, kernel.pieces(), count).set(numbers);
    kernel.begin(count);
    for (let which = 0; which < kernel.layers(); which++) {
      if (between) pause(count, between);
      kernel.layer(which, count);
    }
    kernel.finish(count);
    return floats(kernel.result(), dimensions).slice();
  }

  return {
    embed(numbers, between) {
      if (numbers.length < 1 || numbers.length > mostPieces)
        throw new RangeError(`${numbers.length} pieces were given; 1 to ${mostPieces} are taken.`);
      if (paused === 0) return compute(numbers, between);
      const outer = paused;
      const aside = floats(kernel.hidden(), outer * dimensions).slice();
      paused = 0;
      try {
        return compute(numbers, between);
      } finally {
        floats(kernel.hidden(), aside.length).set(aside);
        paused = outer;
      }
    },
  };
}
