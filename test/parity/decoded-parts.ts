type Parts = readonly [
  ledger: string,
  bank: string,
  position: string,
  hash: string,
  at: string,
  recipe: string,
  /** Where vectors counted: how many, as they stood after how many changes, and of which model. */
  ...vectors: readonly [] | readonly [mark: number, changes: number, model: string],
];

/** What a basis holds, without regard to whose it is; undefined for what is none. */
export function decodedParts(token: string): Parts | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token.slice(3), 'base64url').toString('utf8'));
    if (!Array.isArray(parts)) return undefined;
    const isTold = parts.slice(0, 6).every((part) => typeof part === 'string');
    return isTold && parts.length === { 'b1.': 6, 'b2.': 9 }[token.slice(0, 3)]
      ? (parts as unknown as Parts)
      : undefined;
  } catch {
    return undefined;
  }
}
