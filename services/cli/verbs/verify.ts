import { existsSync } from 'node:fs';
import { homePaths } from '#config/home.js';
import { requireSettings } from '#config/require-settings.js';
import type { Config } from '#config/settings.js';
import { HindsightError } from '#contract/errors.js';
import { markDamaged } from '#ledger/damage.js';
import type { Ledger } from '#ledger/ledger.js';
import { gapsIn } from '#ledger/sqlite/gaps.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { type Verification, type VerifyOptions, verifyLedger } from '#ledger/verify-ledger.js';
import { counted, size } from '#query/mcp/render/shown.js';
import { exitCode } from '../exit-codes.js';
import { progress } from '../render/progress.js';
import { verb } from '../verb.js';

export const verify = () =>
  verb('verify', 'rehash every event and follow the chain of every stream', async (run) => {
    // The ledger alone: hashes are of sealed bytes, so they can be verified when the keys are lost.
    const { ledger, gapBetween, refuseWrites, mend } = await opened(run.loaded.config);
    const bar = progress(run.out, 'Verifying', 'events');
    try {
      const found = await verifyLedger(ledger, {
        signal: run.signal,
        gapBetween,
        onProgress: (events) => bar.at(events),
      });
      bar.end();
      run.out.answer(found, () => render(found, mend));
      if (!isWrong(found)) return;
      refuseWrites?.(found);
      run.exitWith(exitCode.foundWrong);
    } finally {
      bar.end();
      await ledger.close();
    }
  });

interface ToVerify {
  readonly ledger: Ledger;
  readonly gapBetween?: VerifyOptions['gapBetween'];
  readonly refuseWrites?: (found: Verification) => void;
  /** What to do about something wrong. */
  readonly mend: string;
}

async function opened(config: Config): Promise<ToVerify> {
  if (config.profile === 'distributed') {
    requireSettings(config, ['eventstoreUrl'], 'The distributed profile');
    const { openEventStoreLedger } = await import('#ledger/eventstoredb/eventstoredb-ledger.js');
    return {
      ledger: await openEventStoreLedger(config.eventstoreUrl),
      mend: 'Stop the ingest services, and restore EventStoreDB from a backup.',
    };
  }
  const { ledger: path } = homePaths(config.home);
  if (!existsSync(path)) throw new HindsightError('file_not_found', `There is no ledger at ${path}.`, { file: path });
  return {
    ledger: await openSqliteLedger(path),
    gapBetween: gapsIn(path),
    refuseWrites: (found) => markDamaged(path, { at: new Date().toISOString(), ...damageOf(found) }),
    mend: 'Writes are refused from now on. Restore ledger.db from a backup.',
  };
}

const isWrong = ({ broken, missing }: Verification) => broken.length > 0 || missing.length > 0;

function damageOf({ firstFault, missing }: Verification) {
  const [gap] = missing;
  if (firstFault && (!gap || firstFault.position < gap.first))
    return { what: `Event ${firstFault.eventId}: ${firstFault.what}.`, position: firstFault.position };
  return { what: `Events are missing from position ${gap!.first} on.`, position: gap!.first, through: gap!.last };
}

function render(found: Verification, mend: string): string {
  const { events, streams, head, broken, missing } = found;
  const checked = `${counted(events, 'event')} of ${counted(streams, 'stream')} verified, ${size(found.bytes)}`;
  if (!isWrong(found)) return `${checked}: every hash and chain is right${head ? `, head ${head}` : ''}.`;
  return [
    `${checked}. Wrong:`,
    ...missing.map(({ first, last }) =>
      first === last
        ? `  the event at position ${first} is missing or unreadable`
        : `  the events at positions ${first} to ${last} are missing or unreadable`,
    ),
    ...broken.map(
      ({ position, eventId, stream, revision, what }) =>
        `  event ${eventId} at position ${position} (${stream}, revision ${revision}): ${what}`,
    ),
    mend,
  ].join('\n');
}
