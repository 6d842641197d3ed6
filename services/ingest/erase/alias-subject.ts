import { type AliasInput, type AliasOutput, aliasInput } from '#contract/alias.js';
import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import { readInput } from '#contract/input/read-input.js';
import { streamName } from '#events/stream-name.js';
import { subjectHash } from '#events/subject-hash.js';
import { sealChange } from '../commit/seal-change.js';
import { wellFormed } from '../write/sealed-text.js';
import type { ErasingDeps } from './erasing-deps.js';
import { appendNext } from './next-events.js';
import { byOf } from './order.js';
import { hasAlias, personNamed } from './person.js';

/** Puts on record that two names mean one person: in the streams of both, so that it is found from either. */
export function aliasesSubjects(deps: ErasingDeps): (input: AliasInput, caller: Caller) => Promise<AliasOutput> {
  const { ledger, vault, sources, lives } = deps;
  return async (given, caller) => {
    const { name, alias } = readInput(aliasInput, given);
    wellFormed('name', name);
    wellFormed('alias', alias);
    await lives.insistOn(caller.bank);
    const keys = await vault.bankKeys(caller.bank);
    const [one, other] = [subjectHash(keys.identityKey, name), subjectHash(keys.identityKey, alias)];
    if (one === other)
      throw new HindsightError(
        'invalid_input',
        `alias is ${JSON.stringify(alias)}, which is the same name as ${JSON.stringify(name)}: case, width and blanks around it make no other.`,
        { parameter: 'alias' },
      );
    let stored = 0;
    const both = [
      { subject: one, alias: other, name, other: alias },
      { subject: other, alias: one, name: alias, other: name },
    ];
    for (const each of both) {
      const stream = streamName({ ledger: ledger.id, bank: caller.bank, category: 'subject', id: each.subject });
      const { position } = await appendNext({ ledger, now: sources.now }, stream, async (held, place) => {
        if (hasAlias(held, each.alias)) return [];
        const event = {
          type: 'SubjectAliased',
          data: { subject: each.subject, alias: each.alias },
          content: { name: each.name, alias: each.other },
        } as const;
        const where = { ledger: ledger.id, bank: caller.bank, stream, ...place() };
        const secret = await vault.freshSecret();
        const origin = { subjectHashes: [one, other] };
        return [(await sealChange({ vault, sources }, event, where, byOf(caller), origin, secret)).encoded];
      });
      if (position !== undefined) stored += 1;
    }
    const { names } = await personNamed(deps, keys, name);
    return { status: stored > 0 ? 'stored' : 'unchanged', names: [...names] };
  };
}
