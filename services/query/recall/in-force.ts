import { createHash } from 'node:crypto';
import { bankConfigured } from '#events/bank-configured.js';
import { canonicalJson, type Json } from '#events/canonical.js';
import { type RankingProfile, type RecallLeg, type RecallSettings, usualSettings } from '#events/recall-settings.js';
import { openNames } from '#sealing/name-groups.js';
import type { ChangeRow } from '#views/rows.js';
import { type Opening, openRowBox } from './open-version.js';
import type { Form } from './ranking/form.js';
import { weightsWith } from './ranking/own-weights.js';
import type { FormWeights } from './ranking/weights.js';
import { recipe, recipeId } from './recipe.js';

/** How a bank is recalled from at a basis. */
export interface InForce {
  /** Names all that decides an answer besides the question and the memories: what a basis carries. */
  readonly recipe: string;
  readonly off: ReadonlySet<RecallLeg>;
  readonly profile: RankingProfile;
  readonly weights: Readonly<Record<Form, FormWeights>>;
  /** Names of one thing each, as an admin gave them. */
  readonly names: readonly (readonly string[])[];
  /** As `explain` names how candidates were weighed. */
  readonly told: string;
  /** What the answer has to say of it. */
  readonly note?: string | undefined;
}

const usual = inForce(usualSettings, recipeId);
const opened = new WeakMap<ChangeRow, Promise<InForce>>();

/**
 * What stood at a basis: the settings of the last `BankConfigured` up to it. They are events, so they are known of every basis; the recipe
 * names them all the same, so that a basis says what it rests on.
 * @param row of that event; undefined before any
 * @throws HindsightError as `openRowBox`
 */
export function settingsInForce(
  { vault }: Pick<Opening, 'vault'>,
  ledger: string,
  row: ChangeRow | undefined,
): Promise<InForce> {
  if (!row) return Promise.resolve(usual);
  const known = opened.get(row);
  if (known) return known;
  const opening = openRowBox(vault, ledger, row.bank, row, row.box ?? '').then(async (content) => {
    const { recall } = bankConfigured.content.parse(content);
    const names = await openNames(vault, { ledger, bank: row.bank, stream: row.stream }, recall.names ?? []);
    return inForceOf(recall, names);
  });
  opened.set(row, opening);
  opening.catch(() => opened.delete(row));
  return opening;
}

/** @param settings of an event; the usual ones are named by the release's recipe alone */
export function inForceOf(settings: RecallSettings, names: readonly (readonly string[] | undefined)[] = []): InForce {
  const { off, profile, weights } = settings;
  if (off.length === 0 && profile === 'learned' && !weights && names.length === 0) return usual;
  const told = canonicalJson({ recipe: recipeId, settings } as unknown as Json);
  return inForce(settings, createHash('sha256').update(told).digest('hex').slice(0, 16), names);
}

function inForce(
  { off, profile, weights }: RecallSettings,
  named: string,
  names: readonly (readonly string[] | undefined)[] = [],
): InForce {
  const own = weights && weightsWith(weights, recipe.weights);
  return {
    recipe: named,
    off: new Set(off),
    profile,
    weights: own ?? recipe.weights,
    names: names.filter((group) => group !== undefined),
    told: profile === 'learned' && own ? 'learned, with weights of this bank’s own' : profile,
    ...(weights && !own
      ? {
          note: `This bank’s own weights are for other features (${weights.features}): it is ranked by those that ship. Fit them anew, or let go of them: hindsight-ledger bank configure --weights shipped.`,
        }
      : {}),
  };
}
