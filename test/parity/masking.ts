import { decodedParts } from './decoded-parts.js';
import type { Steps } from './steps.js';

/** What two runs of the same commands say the same of: random ids, bases and the clock are replaced by when they first came up. */
export interface Masking {
  /** A copy of an answer, or of whatever else JSON holds. */
  masked(value: unknown): unknown;
  text(text: string): string;
}

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const basis = /\bb[12]\.[\w-]+/g;
const bankId = /\bb[0-9a-f]{32}\b/g;
const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g;
/** How long ago something of this run was. */
const justNow = /\b(?:less than a minute|[1-9] minutes?) (?:ago|from then)\b|(?:不到一分钟|[1-9] 分钟)[前后]/g;
const shownTime = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g;

/**
 * @param steps the run's own: a time of the run becomes the step that it belongs to
 * @param sameKeys whether the other run has the same keys, so that banks have the same ids
 */
export function masking(steps: Steps, { sameKeys = false }: { readonly sameKeys?: boolean } = {}): Masking {
  const names = new Map<string, string>();
  const named = (kind: string, value: string) => {
    const known = names.get(value);
    if (known !== undefined) return known;
    const name = `<${kind} ${names.size + 1}>`;
    names.set(value, name);
    return name;
  };

  function text(given: string): string {
    const confirmed = [...names].filter(([, name]) => name.startsWith('<confirm'));
    return confirmed
      .reduce((shown, [value, name]) => shown.replaceAll(value, name), given)
      .replace(basis, (token) => basisShown(token))
      .replace(uuid, (value) => named('id', value))
      .replace(bankId, (value) => (sameKeys ? value : named('bank', value)))
      .replace(justNow, '<ago>')
      .replace(isoTime, (time) => steps.named(Date.parse(time)) ?? time)
      .replace(shownTime, (shown, day: string, minute: string) =>
        steps.isInRun(Date.parse(`${day}T${minute}:00Z`), 60_000) ? '<now>' : shown,
      );
  }

  function basisShown(token: string): string {
    const parts = decodedParts(token);
    if (!parts) return token;
    const [ledger, bank, position, hash, at, recipe, ...vectors] = parts;
    const place = position === '' ? 'nothing' : named('event', `${bank} ${hash}`);
    return `<basis of ${named('ledger', ledger)}: ${place} at ${steps.named(Date.parse(at)) ?? at} by ${[recipe, ...vectors].join(' ')}>`;
  }

  function masked(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return Number(value.toFixed(9));
    if (Array.isArray(value)) return value.map(masked);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === 'confirm' && typeof member === 'string' ? named('confirm', member) : masked(member),
      ]),
    );
  }
  return { masked, text };
}
