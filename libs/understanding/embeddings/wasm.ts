/** What is used of the engine's own WebAssembly: Node's types do not name it, those of browsers come with everything else of theirs. */
interface WasmEngine {
  validate(program: Uint8Array): boolean;
  instantiate(program: Uint8Array): Promise<{ readonly instance: { readonly exports: unknown } }>;
}

export interface WasmMemory {
  /** Another one after every growth. */
  readonly buffer: ArrayBuffer;
  /** @throws RangeError when there is no more */
  grow(pages: number): number;
}

export const wasm = (globalThis as unknown as { readonly WebAssembly: WasmEngine }).WebAssembly;
