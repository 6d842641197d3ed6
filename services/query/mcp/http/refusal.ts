import { type ErrorCode, errorCodes } from '#contract/errors.js';

/** JSON-RPC's code for what HTTP refuses: outside the protocol's own range of meanings. */
const refused = -32000;

/** A request that is refused before it reaches the protocol: status, and a body that says what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    sentence: string,
    readonly options: {
      readonly hint?: string;
      readonly rpcCode?: number;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(sentence);
  }

  /** A JSON-RPC error, since MCP clients parse nothing else. */
  get body(): object {
    const { hint = errorCodes[this.code], rpcCode = refused } = this.options;
    const data = { code: this.code, message: this.message, hint };
    return {
      jsonrpc: '2.0',
      id: null,
      error: { code: rpcCode, message: `${this.code}: ${this.message} ${hint}`, data },
    };
  }
}
