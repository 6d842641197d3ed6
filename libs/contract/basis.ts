import { z } from 'zod';
import { HindsightError } from './errors.js';

/**
 * What an answer rests on: the bank's last event that could change it, the moment it was asked about, and the
 * recipe that ranked it. Recall is a pure function of question and basis.
 */
export interface Basis {
  readonly ledger: string;
  readonly bank: string;
  /** Absent for an empty bank. */
  readonly position?: string;
  /** Hash of the event there, base64url: a basis outlives a migration by it. */
  readonly hash?: string;
  /** ISO, UTC, milliseconds. */
  readonly at: string;
  readonly recipe: string;
}

const parts = z.tuple([z.string(), z.string(), z.string(), z.string(), z.iso.datetime({ precision: 3 }), z.string()]);

/** An opaque token, URL-safe. */
export function encodeBasis(basis: Basis): string {
  const { ledger, bank, position = '', hash = '', at, recipe } = basis;
  return `b1.${Buffer.from(JSON.stringify([ledger, bank, position, hash, at, recipe])).toString('base64url')}`;
}

/** @throws HindsightError invalid_basis · basis_of_another_bank */
export function decodeBasis(token: string, here: { ledger: string; bank: string }): Basis {
  const [ledger, bank, position, hash, at, recipe] = parsed(token);
  if (ledger !== here.ledger)
    throw new HindsightError('basis_of_another_bank', 'This basis belongs to another ledger.');
  if (bank !== here.bank)
    throw new HindsightError('basis_of_another_bank', 'This basis belongs to another bank of this ledger.');
  return { ledger, bank, position: position || undefined, hash: hash || undefined, at, recipe };
}

/** The moment that a token was given out for, whoever gave it; undefined for what is no basis. ISO, UTC. */
export function momentOfBasis(token: string): string | undefined {
  try {
    return parsed(token)[4];
  } catch {
    return undefined;
  }
}

function parsed(token: string): z.infer<typeof parts> {
  try {
    if (!token.startsWith('b1.')) throw new TypeError('no basis');
    return parts.parse(JSON.parse(Buffer.from(token.slice(3), 'base64url').toString('utf8')));
  } catch {
    const shown = token.length > 40 ? `${token.slice(0, 40)}…` : token;
    throw new HindsightError(
      'invalid_basis',
      `basis is ${JSON.stringify(shown)}, which is no basis that a ledger gave.`,
    );
  }
}
