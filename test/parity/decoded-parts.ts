type Parts = readonly [ledger: string, bank: string, position: string, hash: string, at: string, recipe: string];

/** What a basis holds, without regard to whose it is; undefined for what is none. */
export function decodedParts(token: string): Parts | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token.slice(3), 'base64url').toString('utf8'));
    return Array.isArray(parts) && parts.length === 6 && parts.every((part) => typeof part === 'string')
      ? (parts as unknown as Parts)
      : undefined;
  } catch {
    return undefined;
  }
}
