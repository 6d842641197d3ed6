import { setFlagsFromString } from 'node:v8';

/** Node 20 has it behind a flag, where the first of its two compilers miscomputes it; later ones without. Before any kernel is loaded. */
export function enableRelaxedSimd(): void {
  if (!process.versions.node.startsWith('20.')) return;
  setFlagsFromString('--experimental-wasm-relaxed-simd');
  setFlagsFromString('--no-liftoff');
}
