import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { EraseInput, ForgetFilter } from '#contract/forget.js';
import { keyedHash } from '#events/keyed-hash.js';
import type { BankKeys } from '#sealing/vault.js';
import type { ViewsReader } from '#views/reader.js';
import { memoryNotFound } from '../commit/decision.js';
import { orOfAnotherBank } from '../commit/whose-memory.js';
import { sortedJson, wellFormed } from '../write/sealed-text.js';
import type { ErasingDeps } from './erasing-deps.js';
import { isGone } from './is-gone.js';
import { type Person, personNamed } from './person.js';
import { previewOf } from './preview.js';

/** Memories that a dry run names; of the others only how many they are. */
const shown = 100;
/** Versions read at a time. */
const readAtOnce = 1_000;

export interface Target {
  readonly memoryId: string;
  /** The latest. */
  readonly version: number;
}

export interface Preview extends Target {
  readonly preview: string;
}

/** What an erasure would take, and the token that binds exactly that. */
export interface ErasurePlan {
  readonly targets: readonly Target[];
  readonly person?: Person;
  readonly token: string;
}

/** Finds what is meant. @throws HindsightError invalid_input · memory_not_found · memory_of_another_bank · views_behind */
export async function planErasure(
  deps: ErasingDeps,
  keys: BankKeys,
  input: EraseInput,
  caller: Caller,
): Promise<ErasurePlan> {
  const byFilter = input.subject === undefined ? personOf(input.filter) : undefined;
  const named = input.subject ?? byFilter;
  if (named !== undefined) wellFormed('subject', named);
  const person = named === undefined ? undefined : await personNamed(deps, keys, named);
  const reader = await deps.views.upToDate(caller.bank);
  const found = new Map<string, number>();
  const take = ({ memoryId, version }: Target) => found.set(memoryId, Math.max(version, found.get(memoryId) ?? 0));
  if (person) for (const each of await about(reader, caller.bank, person)) take(each);
  for (const id of input.memory_ids ?? []) for (const each of await one(deps, caller, id)) take(each);
  if (input.filter && byFilter === undefined) {
    insistOnCondition(input.filter);
    // What matches may be an older version: all of the memory goes, so the order is given for its latest.
    for (const { memoryId, latest } of await deps.matching(input.filter, caller, 'everything'))
      take({ memoryId, version: latest });
  }
  for (const each of await reader.derivedFrom(caller.bank, [...found.keys()])) take(each);
  const targets = [...found].map(([memoryId, version]) => ({ memoryId, version }));
  targets.sort((a, b) => (a.memoryId < b.memoryId ? -1 : 1));
  return { targets, ...(person ? { person } : {}), token: tokenOf(keys, input, targets, person) };
}

/** A filter by a person alone means the person. */
function personOf(filter: ForgetFilter = {}): string | undefined {
  const { subject: named, ...others } = filter;
  return Object.values(others).every((each) => each === undefined) ? named : undefined;
}

function insistOnCondition(filter: ForgetFilter): void {
  if (Object.values(filter).some((each) => each !== undefined)) return;
  throw new HindsightError(
    'invalid_input',
    'filter is empty. Name at least one of kind, session_id, task_id, subject, tags, before, after, query.',
    { parameter: 'filter' },
  );
}

/** Every memory any of whose versions is about the person, whatever became of it. */
async function about(reader: ViewsReader, bank: string, { subjects }: Person): Promise<Target[]> {
  const docs = new Set<number>();
  for (const subjectHash of subjects) for (const doc of await reader.docsWhere(bank, { subjectHash })) docs.add(doc);
  const all = [...docs];
  const found: Target[] = [];
  for (let from = 0; from < all.length; from += readAtOnce)
    found.push(...(await reader.versionsByDoc(bank, all.slice(from, from + readAtOnce))));
  return found;
}

async function one(deps: ErasingDeps, caller: Caller, given: string): Promise<Target[]> {
  const memoryId = given.toLowerCase();
  const { state } = await deps.committing.memories.upToDate(caller.bank, memoryId);
  if (state.status === 'absent')
    throw await orOfAnotherBank(memoryNotFound(memoryId).error, memoryId, caller, deps.isOfAnotherBank);
  return state.status === 'erased' ? [] : [{ memoryId, version: state.version }];
}

/** Bound to the bank, what is asked, and exactly the set that was shown, versions included. */
function tokenOf(keys: BankKeys, input: EraseInput, targets: readonly Target[], person: Person | undefined): string {
  const { bank, identityKey } = keys;
  const set = targets.map(({ memoryId, version }) => `${memoryId}@${version}`);
  const asked = askedOf(keys, input);
  return `${asked}${keyedHash(identityKey, 'confirm/erase', bank, asked, person?.state ?? '', ...set)}`;
}

/** Whether a token was given for what is asked, whatever was meant by it then: the set is gone once it was erased. */
export function isTokenOf(token: string, keys: BankKeys, input: EraseInput): boolean {
  return token.startsWith(askedOf(keys, input));
}

/** The part of a token that says what was asked. */
function askedOf(
  { bank, identityKey }: BankKeys,
  { subject, memory_ids, filter, fingerprints = true }: EraseInput,
): string {
  const asked = sortedJson('', { subject, memory_ids, filter, fingerprints });
  return `e1.${keyedHash(identityKey, 'confirm/erase/asked', bank, asked)}.`;
}

/** What some memories say now, in short; of one that does not open, nothing. */
export async function previewsOf(deps: ErasingDeps, bank: string, targets: readonly Target[]): Promise<Preview[]> {
  return Promise.all(
    targets.slice(0, shown).map(async (target) => {
      const preview = await previewOf(deps, bank, target.memoryId).catch((error: unknown) => {
        if (isGone(error)) return '';
        throw error;
      });
      return { ...target, preview };
    }),
  );
}

/** Memories that mention a name of the person and are not about them as far as anybody said: for people to look at. */
export async function mentionsOf(
  { matching }: Pick<ErasingDeps, 'matching'>,
  { person, targets }: ErasurePlan,
  caller: Caller,
): Promise<{ readonly shown: readonly Preview[]; readonly total: number }> {
  const taken = new Set(targets.map(({ memoryId }) => memoryId));
  const found = new Map<string, Preview>();
  for (const query of person?.names ?? []) {
    try {
      for (const each of await matching({ query }, caller, 'everything'))
        if (!taken.has(each.memoryId)) found.set(each.memoryId, each);
    } catch (error) {
      // A name may be no word that a search goes by.
      if (!(error instanceof HindsightError) || error.code !== 'invalid_input') throw error;
    }
  }
  const all = [...found.values()];
  return { shown: all.slice(0, shown), total: all.length };
}
