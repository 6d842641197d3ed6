/** What is used of the engine's own WebAssembly: Node's types do not name it, those of browsers come with everything else of theirs. */
interface WasmEngine {
  validate(program: Uint8Array): boolean;
  instantiate(program: Uint8Array): Promise<{ readonly instance: { readonly exports: unknown } }>;
  Module: new (program: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: unknown };
}

export interface WasmMemory {
  /** Another one after every growth. */
  readonly buffer: ArrayBuffer;
  /** @throws RangeError when there is no more */
  grow(pages: number): number;
}

/** Without waiting, which is for small programs. */
export function instantiateNow(program: Uint8Array): unknown {
  return new wasm.Instance(new wasm.Module(program)).exports;
}

export const wasm = (globalThis as unknown as { readonly WebAssembly: WasmEngine }).WebAssembly;
