import { isDeepStrictEqual } from 'node:util';
import { type BankSettings, type Configured, type ConfigureInput, configureInput } from '#contract/bank-settings.js';
import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import { readInput } from '#contract/input/read-input.js';
import {
  type OwnWeights,
  type RecallSettings,
  recallLegs,
  type SealedNames,
  usualSettings,
} from '#events/recall-settings.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';
import { openNames, sealNames } from '#sealing/name-groups.js';
import { openEvent } from '#sealing/open-event.js';
import { type SealingTools, sealChange } from '../commit/seal-change.js';
import { appendNext } from '../erase/next-events.js';
import { byOf } from '../erase/order.js';
import { type BankLives, bankStream } from './bank-life.js';
import { checkNames } from './check-names.js';

/** Refuses weights that this release cannot rank by. @throws HindsightError invalid_input */
export type CheckWeights = (weights: OwnWeights) => void;

interface Deps {
  readonly ledger: Ledger;
  readonly sealing: SealingTools;
  readonly lives: BankLives;
  /** Without it no weights are taken. */
  readonly checkWeights?: CheckWeights | undefined;
}

export interface BankConfiguring {
  /** How a bank is recalled from now. */
  settings(bank: string): Promise<BankSettings>;
  /**
   * Puts on record how a bank is recalled from, unless it is recalled from so already.
   * @throws HindsightError invalid_input · bank_erased
   */
  configure(input: ConfigureInput, caller: Caller): Promise<Configured>;
}

/** A bank's settings are events of its stream: whoever asks about the past is answered by those that stood then. */
export function configuresBanks(deps: Deps): BankConfiguring {
  const { ledger, sealing, lives } = deps;

  async function settingsOf(bank: string, held: readonly StoredEvent[]): Promise<BankSettings> {
    const last = held.findLast(({ type }) => type === 'BankConfigured');
    if (!last) return { recall: usualSettings };
    const { envelope, event } = await openEvent(sealing.vault, last.bytes);
    if (event.type !== 'BankConfigured') throw new TypeError(`${last.id} is a ${event.type}`);
    const { recall } = event.content;
    const since = { since: envelope.recordedAt, by: envelope.principal };
    if (!recall.names) return { recall, ...since };
    const opened = await openNames(sealing.vault, placeOf(bank), recall.names);
    return { recall, names: opened.filter((names) => names !== undefined), ...since };
  }

  const placeOf = (bank: string) => ({ ledger: ledger.id, bank, stream: bankStream(ledger.id, bank) });

  /** Groups that stand as they are keep their boxes, so that saying the same again changes nothing. */
  async function sealedNames(
    bank: string,
    before: readonly SealedNames[] = [],
    groups: readonly (readonly string[])[],
  ): Promise<SealedNames[] | undefined> {
    const opened = await openNames(sealing.vault, placeOf(bank), before);
    const sealed: SealedNames[] = [];
    for (const names of groups.map((group) => [...new Set(group)])) {
      const known = before.find((_, at) => isDeepStrictEqual(opened[at], names));
      sealed.push(known ?? (await sealNames(sealing.vault, placeOf(bank), names, sealing.sources)));
    }
    return sealed.length > 0 ? sealed : undefined;
  }

  return {
    async settings(bank) {
      const held: StoredEvent[] = [];
      for await (const stored of ledger.readStream(bankStream(ledger.id, bank))) held.push(stored);
      return settingsOf(bank, held);
    },
    async configure(given, caller) {
      const input = readInput(configureInput, given);
      if (input.weights) checked(input.weights, deps.checkWeights);
      if (input.names) checkNames(input.names);
      const { bank } = caller;
      await lives.insistOn(bank);
      const stream = bankStream(ledger.id, bank);
      const secret = await sealing.vault.freshSecret();
      let settings: BankSettings = { recall: usualSettings };
      const { position } = await appendNext({ ledger, now: sealing.sources.now }, stream, async (held, place) => {
        settings = await settingsOf(bank, held);
        const names =
          input.names === undefined
            ? settings.recall.names
            : await sealedNames(bank, settings.recall.names, input.names ?? []);
        const recall = { ...changed(settings.recall, input), ...(names ? { names } : {}) };
        // Of a bank that was ended in between, insistOn says so the next time; nothing is put behind its end.
        if (held.some(({ type }) => type === 'BankErased') || isDeepStrictEqual(recall, settings.recall)) return [];
        const where = { ledger: ledger.id, bank, stream, ...place() };
        settings = {
          recall,
          ...(input.names === undefined ? { names: settings.names } : input.names ? { names: input.names } : {}),
          since: where.recordedAt,
          by: caller.principal,
        };
        const event = { type: 'BankConfigured', data: {}, content: { recall } } as const;
        return [(await sealChange(sealing, event, where, byOf(caller), {}, secret)).encoded];
      });
      if (position === undefined) await lives.insistOn(bank);
      return { ...settings, status: position === undefined ? 'unchanged' : 'stored' };
    },
  };
}

function checked(weights: OwnWeights, check: CheckWeights | undefined): void {
  if (!check) throw new HindsightError('invalid_input', 'This process has no ranking that weights could be for.');
  check(weights);
}

/** @throws HindsightError invalid_input where nothing would be found any more */
function changed(before: RecallSettings, { legs = {}, profile, weights }: ConfigureInput): RecallSettings {
  const off = recallLegs.filter((leg) => (legs[leg] === undefined ? before.off.includes(leg) : !legs[leg]));
  if (finding.every((leg) => off.includes(leg)))
    throw new HindsightError(
      'invalid_input',
      `legs would be off: ${off.join(', ')}. Nothing would be found: leave one of ${finding.join(', ')} on; the others only weigh what these find.`,
      { parameter: 'legs' },
    );
  const own = weights === undefined ? before.weights : (weights ?? undefined);
  return { off, profile: profile ?? before.profile, ...(own ? { weights: own } : {}) };
}

/** Legs that find memories by themselves. */
const finding = ['vector', 'keyword', 'graph'] as const;
