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
  /** Absent where no vector counted. */
  readonly vectors?: BasisVectors | undefined;
}

/** Which vectors an answer rests on. */
export interface BasisVectors {
  /** Those of docs below it. */
  readonly mark: number;
  /** As they stood after this many changes (libs/views/vectors.ts). */
  readonly changes: number;
  /** Names the space: `modelInBasis`. */
  readonly model: string;
}

const parts = z.tuple([z.string(), z.string(), z.string(), z.string(), z.iso.datetime({ precision: 3 }), z.string()]);
const vectorParts = z.tuple([...parts.def.items, z.int().min(1), z.int().min(0), z.string()]);

/** An opaque token, URL-safe. One without vectors has the form that it had before there were any. */
export function encodeBasis(basis: Basis): string {
  const { ledger, bank, position = '', hash = '', at, recipe, vectors } = basis;
  const told = [ledger, bank, position, hash, at, recipe];
  if (!vectors) return `b1.${base64url(told)}`;
  return `b2.${base64url([...told, vectors.mark, vectors.changes, vectors.model])}`;
}

/** How a basis names a space: enough of the model's fingerprint that no two are mistaken for each other. */
export function modelInBasis({ model, dimensions }: { readonly model: string; readonly dimensions: number }): string {
  return `${model.slice(0, 16)}.${dimensions}`;
}

/** @throws HindsightError invalid_basis · basis_of_another_bank */
export function decodeBasis(token: string, here: { ledger: string; bank: string }): Basis {
  const [ledger, bank, position, hash, at, recipe, mark, changes, model] = parsed(token);
  if (ledger !== here.ledger)
    throw new HindsightError('basis_of_another_bank', 'This basis belongs to another ledger.');
  if (bank !== here.bank)
    throw new HindsightError('basis_of_another_bank', 'This basis belongs to another bank of this ledger.');
  const vectors = mark === undefined ? undefined : { mark, changes: changes!, model: model! };
  return { ledger, bank, position: position || undefined, hash: hash || undefined, at, recipe, vectors };
}

/** The moment that a token was given out for, whoever gave it; undefined for what is no basis. ISO, UTC. */
export function momentOfBasis(token: string): string | undefined {
  try {
    return parsed(token)[4];
  } catch {
    return undefined;
  }
}

type Parts = z.infer<typeof parts> | z.infer<typeof vectorParts>;

function parsed(token: string): Parts {
  try {
    const form = { 'b1.': parts, 'b2.': vectorParts }[token.slice(0, 3)];
    if (!form) throw new TypeError('no basis');
    return form.parse(JSON.parse(Buffer.from(token.slice(3), 'base64url').toString('utf8')));
  } catch {
    const shown = token.length > 40 ? `${token.slice(0, 40)}…` : token;
    throw new HindsightError(
      'invalid_basis',
      `basis is ${JSON.stringify(shown)}, which is no basis that a ledger gave.`,
    );
  }
}

function base64url(told: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(told)).toString('base64url');
}
