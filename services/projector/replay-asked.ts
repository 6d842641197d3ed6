import { HindsightError } from '#contract/errors.js';
import type { Position } from '#ledger/ledger.js';
import type { Projection } from './projections/projection.js';

/**
 * Positions of one ledger are of one form, digits and whatever stands between them, so that text order is theirs; times are none.
 * @throws HindsightError invalid_input
 */
export function insistOnPosition(to: Position, head: Position | undefined): void {
  const form = (position: Position) => position.replaceAll(/\d/g, '0');
  if (head !== undefined && form(to) === form(head) && to <= head) return;
  throw new HindsightError(
    'invalid_input',
    `to is ${JSON.stringify(to)}, which is no position up to the ledger's head ${head ?? '(it is empty)'}.${head === undefined ? '' : ' Accepted: one of that form, as `verify` and `audit events` write them.'}`,
    { to, head },
  );
}

/** Projections by name; all by default. @throws HindsightError invalid_input */
export function chosen(all: readonly Projection[], names: readonly string[] | undefined): readonly Projection[] {
  const unknown = names?.find((name) => !all.some((each) => each.name === name));
  if (unknown !== undefined || names?.length === 0)
    throw new HindsightError(
      'invalid_input',
      `projection ${unknown === undefined ? 'names none' : `is ${JSON.stringify(unknown)}`}, the projections are ${all.map(({ name }) => name).join(', ')}.`,
    );
  return names ? all.filter(({ name }) => names.includes(name)) : all;
}
