import { hashAlgorithm } from './hash.js';
import { instantPattern } from './version-fields.js';

type Check = (value: unknown) => boolean;

/** Whether a parsed value is what the schema `envelope` takes: the same rules, read from left to right and without a copy. */
export function hasEnvelopeForm(value: unknown): boolean {
  return isMember(value) && hasForm(value, envelopeForm);
}

interface Form {
  readonly members: ReadonlyMap<string, Check>;
  readonly required: readonly string[];
}

function hasForm(value: Record<string, unknown>, { members, required }: Form): boolean {
  for (const name of required) if (value[name] === undefined) return false;
  for (const name of Object.keys(value)) {
    const check = members.get(name);
    if (!check?.(value[name])) return false;
  }
  return true;
}

function form(required: Record<string, Check>, optional: Record<string, Check> = {}): Form {
  return { members: new Map(Object.entries({ ...required, ...optional })), required: Object.keys(required) };
}

const isText: Check = (value) => typeof value === 'string';
const isCount = (value: unknown, least: number): boolean => Number.isSafeInteger(value) && (value as number) >= least;

function isMember(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const boxForm = form({
  f: (value) => value === 1,
  a: (value) => value === 'A256GCM',
  k: isText,
  n: isText,
  c: isText,
});
const requestForm = form({ key: isText, print: isText });

const envelopeForm = form(
  {
    v: (value) => value === 1,
    hashAlgorithm: (value) => value === hashAlgorithm,
    id: isText,
    ledger: isText,
    bank: isText,
    stream: isText,
    revision: (value) => isCount(value, 0),
    type: isText,
    schema: (value) => isCount(value, 1),
    recordedAt: (value) => typeof value === 'string' && instantPattern.test(value),
    principal: isText,
    previous: (value) => value === null || typeof value === 'string',
    data: isMember,
  },
  {
    agent: isText,
    session: isText,
    task: isText,
    step: isText,
    tool: isText,
    causationId: isText,
    correlationId: isText,
    request: (value) => isMember(value) && hasForm(value, requestForm),
    subjects: (value) => Array.isArray(value) && value.every(isText),
    trust: (value) => typeof value === 'number' && value >= 0 && value <= 1,
    box: (value) => isMember(value) && hasForm(value, boxForm),
  },
);
