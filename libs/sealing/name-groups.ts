import { isHindsightError } from '#contract/errors.js';
import type { SealedNames } from '#events/recall-settings.js';
import type { BoxBinding } from '#events/sealed-box.js';
import { subjectHash } from '#events/subject-hash.js';
import { contentKeyOf, salted } from './content-key.js';
import { openBoxWith } from './open-event.js';
import { sealBox } from './seal-event.js';
import type { Vault } from './vault.js';

/** Where a group stands. */
export type NamesPlace = Pick<BoxBinding, 'ledger' | 'bank' | 'stream'>;

const nonceBytes = 12;

function bindingOf(place: NamesPlace, id: string): BoxBinding {
  return { ...place, eventId: id, type: 'BankConfigured', schema: 1 };
}

/**
 * Seals names of one thing, each group in a box of its own: names are often people's, and an erasure of any of them ends the group, and no
 * other and nothing else of the settings.
 */
export async function sealNames(
  vault: Vault,
  place: NamesPlace,
  names: readonly string[],
  { uuid, random }: { uuid(): string; random(bytes: number): Uint8Array },
): Promise<SealedNames> {
  const { identityKey } = await vault.bankKeys(place.bank);
  const subjects = [...new Set(names.map((name) => subjectHash(identityKey, name)))].sort();
  const secret = await vault.freshSecret();
  const key = { id: secret.id, key: await salted(vault, place.bank, secret.secret, subjects) };
  const id = uuid();
  return { id, subjects, box: sealBox({ names }, bindingOf(place, id), key, random(nonceBytes)) };
}

/** The names of each group; undefined of one that went with a person. @throws HindsightError keys_unreachable */
export function openNames(
  vault: Vault,
  place: NamesPlace,
  groups: readonly SealedNames[],
): Promise<(readonly string[] | undefined)[]> {
  return Promise.all(
    groups.map(async ({ id, box, subjects }) => {
      const key = await contentKeyOf(vault, place.bank, box.k, subjects);
      if (!key) return undefined;
      try {
        return openBoxWith(key, bindingOf(place, id), box).names as string[];
      } catch (error) {
        // A person who was erased and is written about again has another secret.
        if (isHindsightError(error, 'ledger_corrupt')) return undefined;
        throw error;
      }
    }),
  );
}
