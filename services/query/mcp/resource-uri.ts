import { HindsightError } from '#contract/errors.js';

export type ResourceRef =
  | { readonly kind: 'memory'; readonly id: string }
  | { readonly kind: 'versions'; readonly id: string }
  | { readonly kind: 'stats' };

export const resourceTemplates = {
  memory: 'memory://{bank}/{id}',
  versions: 'memory://{bank}/{id}/versions',
} as const;

/** Bank names may hold slashes (`github.com/owner/name`): they are percent-encoded. */
export function statsUri(bankName: string): string {
  return `memory://${encodeURIComponent(bankName)}/stats`;
}

/** @throws HindsightError invalid_input · memory_of_another_bank */
export function parseResourceUri(uri: string, bankName: string): ResourceRef {
  const [, bank, id, rest] = /^memory:\/\/([^/]+)\/([^/]+)(\/versions)?$/.exec(uri) ?? [];
  if (bank === undefined || id === undefined) throw notAccepted(uri, bankName);
  const [name, memory] = [decoded(bank), decoded(id)];
  if (name === undefined || memory === undefined) throw notAccepted(uri, bankName);
  if (name !== bankName)
    throw new HindsightError(
      'memory_of_another_bank',
      `uri names the bank ${JSON.stringify(name)}, but this connection is to the bank ${JSON.stringify(bankName)}.`,
    );
  if (rest) return { kind: 'versions', id: memory };
  return memory === 'stats' ? { kind: 'stats' } : { kind: 'memory', id: memory };
}

function notAccepted(uri: string, bankName: string): HindsightError {
  const here = encodeURIComponent(bankName);
  return new HindsightError(
    'invalid_input',
    `uri is ${JSON.stringify(uri.slice(0, 200))}, but takes memory://${here}/{id}, memory://${here}/{id}/versions or ${statsUri(bankName)}.`,
  );
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
