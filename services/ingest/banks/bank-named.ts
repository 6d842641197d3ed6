import type { CommandPort, IfMissing } from '#contract/command-port.js';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { keyedHash } from '#events/keyed-hash.js';
import type { Ledger } from '#ledger/ledger.js';
import { type SealingTools, sealChange } from '../commit/seal-change.js';
import { wellFormed } from '../write/sealed-text.js';
import { type BankLives, bankStream } from './bank-life.js';

const longestName = 512;

interface Deps {
  readonly ledger: Ledger;
  readonly sealing: SealingTools;
  readonly lives: BankLives;
  /** Who makes banks by using them. */
  readonly principal: string;
}

/**
 * The id of the bank with a readable name. The name's keyed hash is the id, so that all processes that use a bank first at
 * the same moment meet in one stream, whose first event says that it exists. After a bank was deleted its name makes a new one, with
 * another id: whoever holds the former id, as a token does, does not come into the new one.
 */
export function banksByName(deps: Deps): CommandPort['bankNamed'] {
  const made = new Map<string, Promise<string>>();
  const stillThere = async (asked: Promise<string>, name: string) => {
    const bank = await asked;
    return (await deps.lives.of(bank)) === 'erased' ? bankNamed(deps, name, 'make') : bank;
  };
  return (name, ifMissing = 'make') => {
    if (ifMissing !== 'make') return bankNamed(deps, name, ifMissing);
    const asked = made.get(name);
    const found = asked ? stillThere(asked, name) : bankNamed(deps, name, ifMissing);
    made.set(name, found);
    found.catch(() => made.delete(name));
    return found;
  };
}

async function bankNamed(deps: Deps, given: string, ifMissing: IfMissing): Promise<string> {
  const { ledger, sealing, lives, principal } = deps;
  const name = wellFormed('bank', given).trim();
  if (name === '' || name.length > longestName)
    throw new HindsightError('invalid_input', `bank has ${name.length} characters; 1 to ${longestName} are taken.`, {
      parameter: 'bank',
    });
  const ledgerKey = await sealing.vault.ledgerKey();
  let bank = bankId(ledgerKey, name, 1);
  let life = await lives.of(bank);
  for (let lived = 2; life === 'erased'; lived++) {
    bank = bankId(ledgerKey, name, lived);
    life = await lives.of(bank);
  }
  if (ifMissing === 'leave' || life === 'alive') return bank;
  if (ifMissing === 'refuse')
    throw new HindsightError('bank_not_found', `There is no bank ${JSON.stringify(name)}.`, { bank: name });
  checkNewName(name);
  const stream = bankStream(ledger.id, bank);
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

/** By any of these names a bank could be made, and never be asked for: `--bank` takes none of them, or another bank. */
function checkNewName(name: string): void {
  const why =
    name === 'auto'
      ? 'which stands for the bank of a folder’s git repository wherever a bank is named'
      : /\p{Cc}/u.test(name)
        ? 'which has control characters'
        : undefined;
  if (why !== undefined)
    throw new HindsightError(
      'invalid_input',
      `bank is ${JSON.stringify(name)}, ${why}. Choose another name, of 1 to ${longestName} characters.`,
      { parameter: 'bank' },
    );
}

/** @param lived 1 for the first bank of this name, 2 for the one after it was deleted, … */
function bankId(ledgerKey: Uint8Array, name: string, lived: number): string {
  return `b${keyedHash(ledgerKey, 'bank', name, ...(lived === 1 ? [] : [String(lived)]))}`;
}
