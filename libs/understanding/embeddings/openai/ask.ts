import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from './endpoint.js';
import { kindOfStatus, retryAfterOf, Trouble } from './trouble.js';

/** How long an answer may take, in milliseconds. */
export interface Patience {
  /** One try. */
  readonly try: number;
  /** From the first try on: later no further one is begun. */
  readonly all: number;
}

export interface Asking {
  readonly endpoint: Endpoint;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** What was sent holds no content, so that the server's own words may be shown. */
  readonly harmless?: boolean;
}

/** Milliseconds of the first pause, and of the longest; each is twice the one before, and half of it is left to chance. */
const firstPause = 250;
const longestPause = 8_000;

/**
 * The JSON that a request is answered with; without a body it is a GET. What may pass is tried again until patience ends.
 * @throws Trouble · the signal's reason
 */
export async function ask(url: string, body: object | undefined, asking: Asking): Promise<unknown> {
  const deadline = performance.now() + asking.patience.all;
  for (let attempt = 0; ; attempt++) {
    try {
      return await askOnce(url, body, asking);
    } catch (error) {
      asking.signal.throwIfAborted();
      if (!(error instanceof Trouble) || error.kind !== 'away') throw error;
      const pause = error.retryAfter ?? Math.min(longestPause, firstPause * 2 ** attempt) * (0.5 + Math.random() / 2);
      if (performance.now() + pause >= deadline) throw error;
      await sleep(pause, undefined, { signal: asking.signal });
    }
  }
}

async function askOnce(
  url: string,
  body: object | undefined,
  { endpoint, patience, signal, harmless }: Asking,
): Promise<unknown> {
  const late = AbortSignal.timeout(patience.try);
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: endpoint.headers,
      // What was written would be carried to wherever the server says.
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const kind = kindOfStatus(response.status);
    const text = await response.text();
    if (kind)
      throw new Trouble(
        kind,
        `it answered ${response.status}${harmless ? endpoint.masked(wordsOf(text)) : ''}`,
        retryAfterOf(response.headers.get('retry-after'), Date.now()),
      );
    return parsed(text);
  } catch (error) {
    if (error instanceof Trouble) throw error;
    if (late.aborted) throw tooLate(patience.try);
    throw new Trouble('away', `it cannot be reached (${codeOf(error)})`);
  }
}

/** @param within milliseconds */
export function tooLate(within: number): Trouble {
  return new Trouble('away', `it did not answer within ${(within / 1000).toFixed(1)} s`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Also NaN, which some servers write although JSON has none.
    throw new Trouble('unusable', 'it answered with what is no JSON');
  }
}

/** What a server says is wrong, in front of which stands a blank. */
function wordsOf(text: string): string {
  const said = /"(?:message|error|detail)"\s*:\s*"((?:[^"\\]|\\.){1,200})/.exec(text)?.[1];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return said === undefined ? '' : ` (“${said.replace(/[\u0000-\u001f\u007f]+/g, ' ')}”)`;
}

function codeOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: unknown }; name?: unknown };
  return String(cause?.code ?? name ?? 'unknown');
}
