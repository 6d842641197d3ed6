import { isHindsightError } from '#contract/errors.js';
import { sealedBox } from '#events/sealed-box.js';
import { streamName } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import { openBox, openEvent } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';
import type { Views } from '#views/views.js';

export interface NamedBank {
  readonly id: string;
  readonly name: string;
  readonly created: string;
}

export interface BankNames {
  /** All banks of the ledger, by name. */
  all(): Promise<NamedBank[]>;
  /** The readable name of a bank; undefined when there is none with this id. */
  of(id: string): Promise<string | undefined>;
}

interface Stores {
  readonly ledger: Pick<Ledger, 'id' | 'readStream'>;
  readonly vault: Vault;
  readonly views: Pick<Views, 'reader'>;
  readonly projector: { catchUp(): Promise<void> };
}

/** Names are sealed in the banks' streams: they are opened when asked for, and remembered, since they never change. */
export function bankNames({ ledger, vault, views, projector }: Stores): BankNames {
  const known = new Map<string, NamedBank>();
  const all = async () => {
    await projector.catchUp();
    for (const row of await views.reader().banks()) {
      if (!row.box) known.delete(row.bank);
      if (known.has(row.bank) || !row.box) continue;
      const box = sealedBox.parse(JSON.parse(row.box));
      const content = await openBox(vault, { ledger: ledger.id, ...row }, box, row.subjects);
      known.set(row.bank, { id: row.bank, name: String(content.name), created: row.recordedAt });
    }
    return [...known.values()].sort((one, other) => one.name.localeCompare(other.name));
  };
  return {
    all,
    // From the bank's own stream, where the name stands from the first on: views may not have come as far.
    async of(id) {
      const name = known.get(id)?.name;
      if (name !== undefined) return name;
      const stream = streamName({ ledger: ledger.id, bank: id, category: 'bank', id });
      for await (const first of ledger.readStream(stream, { limit: 1 })) {
        const opened = await openEvent(vault, first.bytes).catch((error: unknown) => {
          // Of a bank that was deleted nobody can read the name any more.
          if (!isHindsightError(error, 'key_not_found')) throw error;
        });
        if (opened?.event.type !== 'BankCreated') return undefined;
        known.set(id, { id, name: opened.event.content.name, created: opened.envelope.recordedAt });
      }
      return known.get(id)?.name;
    },
  };
}
