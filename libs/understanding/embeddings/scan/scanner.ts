import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HindsightError } from '#contract/errors.js';
import { shippedKernels } from '../shipped-kernels.js';
import { type WasmMemory, wasm } from '../wasm.js';
import { packedBytes, packedDirection, quantize } from './packed-vector.js';
import { quantizeQuestion } from './quantized-question.js';

/** Rows of vectors in memory, compared one by one with a question: exact, and the same bits on every platform. */
export interface Scanner {
  /** Rows up to the highest that was ever put. */
  readonly rows: number;
  /** Bytes that it holds, whether rows were put or not. */
  readonly bytes: number;
  /**
   * @param vector as `packVector` wrote it, or as it came from a model
   * @throws HindsightError invalid_input: other dimensions, or no direction
   */
  put(row: number, vector: Uint8Array | Float32Array): void;
  /** The row as `packVector` wrote it, in bytes of its own; undefined for one that was never put or was removed. */
  packed(row: number): Uint8Array | undefined;
  /** The row has no cosine again. */
  remove(row: number): void;
  /**
   * Cosines of the rows `from` to `to` (excluded), the first of them at into[0]; NaN for a row that was never put or is beyond the last, and
   * for all where the question has no direction.
   * @throws HindsightError invalid_input: other dimensions
   */
  scores(question: Float32Array, into: Float32Array, from?: number, to?: number): void;
}

/** What `models/kernels/scan.c` exports. */
interface ScanKernel {
  readonly memory: WasmMemory;
  start(): number;
  scan(question: number, rows: number, scales: number, out: number, columns: number, count: number, by: number): void;
}

/** Rows of a block: its scales lie behind them, and memory grows by blocks. */
const blockRows = 4_096;
/** Numbers that the kernel takes at once. */
const lane = 16;
const pageBytes = 65_536;

/** @throws Error where the engine has no SIMD */
export async function openScanner(dimensions: number): Promise<Scanner> {
  const program = await readFile(join(shippedKernels(), 'scan.wasm'));
  const { instance } = await wasm.instantiate(program);
  return scannerOf(instance.exports as ScanKernel, dimensions);
}

function scannerOf({ memory, start, scan }: ScanKernel, dimensions: number): Scanner {
  const columns = Math.ceil(dimensions / lane) * lane;
  const question = start();
  const out = question + columns * 2;
  const firstBlock = out + blockRows * 4;
  const blockBytes = blockRows * (columns + 4);
  let blocks = 0;
  let rows = 0;

  const rowsAt = (block: number): number => firstBlock + block * blockBytes;
  const scalesAt = (block: number): number => rowsAt(block) + blockRows * columns;
  const scaleAt = (row: number): number => scalesAt(Math.floor(row / blockRows)) + (row % blockRows) * 4;
  const numbersAt = (row: number): number => rowsAt(Math.floor(row / blockRows)) + (row % blockRows) * columns;
  const setScale = (row: number, scale: number): void => {
    new Float32Array(memory.buffer, scaleAt(row), 1)[0] = scale;
  };
  const grow = (row: number): void => {
    const wanted = Math.floor(row / blockRows) + 1;
    if (wanted <= blocks) return;
    const lacking = firstBlock + wanted * blockBytes - memory.buffer.byteLength;
    if (lacking > 0) memory.grow(Math.ceil(lacking / pageBytes));
    for (; blocks < wanted; blocks++) new Float32Array(memory.buffer, scalesAt(blocks), blockRows).fill(Number.NaN);
  };
  const check = (given: number): void => {
    if (given !== dimensions)
      throw new HindsightError('invalid_input', `A vector has ${given} dimensions; here they have ${dimensions}.`, {
        parameter: 'vector',
      });
  };

  return {
    get rows() {
      return rows;
    },
    get bytes() {
      return memory.buffer.byteLength;
    },
    put(row, vector) {
      const { numbers, scale } = vector instanceof Float32Array ? quantize(vector) : packedDirection(vector);
      check(numbers.length);
      grow(row);
      new Int8Array(memory.buffer, numbersAt(row), dimensions).set(numbers);
      setScale(row, scale);
      rows = Math.max(rows, row + 1);
    },
    packed(row) {
      if (row >= rows) return undefined;
      const scale = new Float32Array(memory.buffer, scaleAt(row), 1)[0]!;
      if (Number.isNaN(scale)) return undefined;
      return packedBytes(new Int8Array(memory.buffer, numbersAt(row), dimensions), scale);
    },
    remove(row) {
      if (row < rows) setScale(row, Number.NaN);
    },
    scores(vector, into, from = 0, to = rows) {
      check(vector.length);
      const quantized = quantizeQuestion(vector);
      const last = quantized ? Math.max(from, Math.min(to, rows)) : from;
      into.fill(Number.NaN, last - from, Math.max(0, to - from));
      if (!quantized) return;
      new Int16Array(memory.buffer, question, dimensions).set(quantized.numbers);
      for (let row = from; row < last; ) {
        const block = Math.floor(row / blockRows);
        const within = row % blockRows;
        // The kernel takes rows by fours: those in front of the first one asked for are computed with it.
        const skipped = within % 4;
        const count = Math.min(blockRows - within, last - row);
        const first = within - skipped;
        const lines = rowsAt(block) + first * columns;
        scan(question, lines, scalesAt(block) + first * 4, out, columns, count + skipped, quantized.by);
        into.set(new Float32Array(memory.buffer, out + skipped * 4, count), row - from);
        row += count;
      }
    },
  };
}
