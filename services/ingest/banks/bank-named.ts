import type { CommandPort, IfMissing } from '#contract/command-port.js';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { keyedHash } from '#events/keyed-hash.js';
import { streamName } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import { type SealingTools, sealChange } from '../commit/seal-change.js';
import { wellFormed } from '../write/sealed-text.js';

const longestName = 512;

interface Deps {
  readonly ledger: Ledger;
  readonly sealing: SealingTools;
  /** Who makes banks by using them. */
  readonly principal: string;
}

/**
 * The id of the bank with a readable name. The name's keyed hash is the id, so that all processes that use a bank first at
 * the same moment meet in one stream, whose first event says that it exists.
 */
export function banksByName(deps: Deps): CommandPort['bankNamed'] {
  const made = new Map<string, Promise<string>>();
  return (name, ifMissing = 'make') => {
    if (ifMissing !== 'make') return bankNamed(deps, name, ifMissing);
    const asked = made.get(name);
    if (asked) return asked;
    const found = bankNamed(deps, name, ifMissing);
    made.set(name, found);
    found.catch(() => made.delete(name));
    return found;
  };
}

async function bankNamed({ ledger, sealing, principal }: Deps, given: string, ifMissing: IfMissing): Promise<string> {
  const name = wellFormed('bank', given).trim();
  if (name === '' || name.length > longestName)
    throw new HindsightError('invalid_input', `bank has ${name.length} characters; 1 to ${longestName} are taken.`, {
      parameter: 'bank',
    });
  const bank = `b${keyedHash(await sealing.vault.ledgerKey(), 'bank', name)}`;
  if (ifMissing === 'leave') return bank;
  const stream = streamName({ ledger: ledger.id, bank, category: 'bank', id: bank });
  for await (const _first of ledger.readStream(stream, { limit: 1 })) return bank;
  if (ifMissing === 'refuse')
    throw new HindsightError('bank_not_found', `There is no bank ${JSON.stringify(name)}.`, { bank: name });
  const recordedAt = new Date(sealing.sources.now()).toISOString();
  const place = { ledger: ledger.id, bank, stream, revision: 0, previous: null, recordedAt };
  const event = { type: 'BankCreated', data: {}, content: { name } } as const;
  const secret = await sealing.vault.freshSecret();
  const { encoded } = await sealChange(sealing, event, place, { principal }, {}, secret);
  try {
    await ledger.append(stream, [encoded], 'no_stream');
  } catch (error) {
    // Another process was first: the bank is there, which is all that was asked.
    if (!isHindsightError(error, 'wrong_expected_revision')) throw error;
  }
  return bank;
}
