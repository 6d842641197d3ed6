import { type Basis, type BasisVectors, decodeBasis, encodeBasis } from '#contract/basis.js';
import { HindsightError } from '#contract/errors.js';
import { parseTime } from '#contract/time.js';
import type { ViewsReader } from '#views/reader.js';
import type { MomentRow } from '#views/rows.js';
import { recipeId } from '../recall/recipe.js';

/** What an answer rests on: the last event that counts (undefined: before the bank's first) and the moment asked about. */
export interface BasisPoint {
  readonly moment: MomentRow | undefined;
  /** Milliseconds. */
  readonly at: number;
}

export interface AskedBasis {
  readonly basis?: string;
  readonly as_of?: string;
}

/** Where a basis or `as_of` is looked up, and what holds without either. */
export interface Here {
  readonly ledger: string;
  readonly bank: string;
  readonly reader: ViewsReader;
  readonly head: MomentRow | undefined;
  readonly now: number;
}

/**
 * The point that a question is about: that of its basis, the last one known `as_of` a time, or now.
 * @param parameter names `as_of` in errors
 * @throws HindsightError invalid_input when both are given · invalid_time, also for a time in the future · invalid_basis · basis_of_another_bank ·
 *   basis_unresolved
 */
export async function resolveBasis(asked: AskedBasis, here: Here, parameter = 'as_of'): Promise<BasisPoint> {
  if (asked.basis !== undefined && asked.as_of !== undefined)
    throw new HindsightError(
      'invalid_input',
      'basis and as_of were both given. Each says what the answer rests on: give one of them.',
      { parameter: 'as_of' },
    );
  if (asked.basis !== undefined) return pointOf(decodeBasis(asked.basis, here), here);
  // A writer's clock may be ahead of this one; what it wrote counts all the same.
  const now = Math.max(here.now, here.head ? Date.parse(here.head.systemTime) : 0);
  if (asked.as_of === undefined) return { moment: here.head, at: now };
  const time = parseTime(parameter, asked.as_of);
  const at = Date.parse(time);
  if (at > now)
    throw new HindsightError(
      'invalid_time',
      `${parameter} is ${JSON.stringify(asked.as_of)}, which lies in the future: what the ledger will know then is not known yet. Give a time up to now, which is ${new Date(now).toISOString()}.`,
      { parameter, given: asked.as_of },
    );
  return { moment: await here.reader.momentAtTime(here.bank, time), at };
}

async function pointOf(basis: Basis, { bank, reader }: Here): Promise<BasisPoint> {
  const at = Date.parse(basis.at);
  if (basis.position === undefined || basis.hash === undefined) return { moment: undefined, at };
  const there = await reader.momentAtPosition(bank, basis.position);
  if (there && there.position === basis.position && there.hash === basis.hash) return { moment: there, at };
  // Another adapter has other positions: after a migration the event itself is looked for.
  const moved = await reader.momentWithHash(bank, basis.hash);
  if (moved) return { moment: moved, at };
  throw new HindsightError('basis_unresolved', 'This ledger has no event at this basis.', {
    position: basis.position,
  });
}

/**
 * A basis is answered by what ranked it. A write gives one before anybody has ranked: it names the release's own recipe, whatever the bank is
 * set to.
 * @throws HindsightError recipe_unavailable
 */
export function insistOnRecipe(given: string, inForce: string): void {
  if (given === inForce || given === recipeId) return;
  throw new HindsightError(
    'recipe_unavailable',
    `This basis was ranked by recipe ${given}; this release has ${inForce}.`,
    { recipe: given },
  );
}

/**
 * The token that asks for the same point again.
 * @param restedOn the recipe that ranks, and the vectors that the answer rests on
 */
export function basisToken(
  ledger: string,
  bank: string,
  { moment, at }: BasisPoint,
  { recipe, vectors }: { readonly recipe: string; readonly vectors?: BasisVectors | undefined },
): string {
  return encodeBasis({
    ledger,
    bank,
    ...(moment ? { position: moment.position, hash: moment.hash } : {}),
    at: new Date(at).toISOString(),
    recipe,
    vectors,
  });
}
