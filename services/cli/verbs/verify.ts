import { createPublicKey } from 'node:crypto';
import { homePaths } from '#config/home.js';
import { type LedgerVerification, verifyLedger } from '#ledger/verify-ledger.js';
import { rawPublicKey } from '#proof/root.js';
import { counted, size } from '#query/mcp/render/shown.js';
import { exitCode } from '../exit-codes.js';
import { type AgainstRoot, againstRoot, damageOf, type Finding, findingsOf } from '../proof/findings.js';
import { openLedgerAlone } from '../proof/open-ledger.js';
import { readRootFile } from '../proof/root-file.js';
import { readSigningKey } from '../proof/signing-key-file.js';
import { progress } from '../render/progress.js';
import { type Run, verb } from '../verb.js';

interface Options {
  against?: string;
}

export const verify = () =>
  verb<Options>(
    'verify',
    'rehash every event, follow the chain of every stream, check every seal',
    async (run, given) => {
      const root = given.against === undefined ? undefined : readRootFile(given.against);
      const { ledger, gapBetween, refuseWrites, mend } = await openLedgerAlone(run.loaded.config);
      const bar = progress(run.out, 'Verifying', 'events');
      try {
        const found = await verifyLedger(ledger, {
          signal: run.signal,
          gapBetween,
          against: root?.ledger === ledger.id ? root : undefined,
          onProgress: (events) => bar.at(events),
        });
        bar.end();
        const against = root && againstRoot(ledger.id, root, found);
        const findings = findingsOf(found, against);
        const own = await ownKey(run);
        run.out.answer({ ...found, ...(against && { against }) }, () =>
          [
            headline(found, findings),
            ...findings.map(({ message }) => `  ${message}`),
            ...sealLines(found, own),
            ...(against ? againstLines(against, own) : []),
            ...(findings.length > 0 ? [mend] : []),
          ].join('\n'),
        );
        if (findings.length === 0) return;
        const damage = damageOf(findings, found);
        if (damage) refuseWrites?.(damage);
        run.exitWith(exitCode.foundWrong);
      } finally {
        bar.end();
        await ledger.close();
      }
    },
  ).option('--against <file>', 'a root that was exported earlier: the ledger has to begin with what it covers');

function headline({ events, streams, bytes, head }: LedgerVerification, findings: readonly Finding[]): string {
  const checked = `${counted(events, 'event')} of ${counted(streams, 'stream')} verified, ${size(bytes)}`;
  if (findings.length > 0) return `${checked}. Wrong:`;
  return `${checked}: every hash and chain is right${head ? `, head ${head}` : ''}.`;
}

function sealLines({ seals }: LedgerVerification, own: string | undefined): string[] {
  if (seals.count === 0) return ['No seal yet: `hindsight-ledger seal` puts one.'];
  const right = seals.count - seals.faults.length - seals.unchecked;
  const by = seals.signers.map((key) => (key === own ? 'the key of this home' : key)).join(', ');
  const signed = seals.signed > 0 ? `, ${seals.signed} signed by ${by}` : '';
  return [
    `${right} of ${counted(seals.count, 'seal')} right${signed}; ${counted(seals.unsealed, 'event')} since.`,
    ...(seals.unchecked > 0 ? [`${counted(seals.unchecked, 'seal')} could not be checked.`] : []),
  ];
}

function againstLines({ holds, size: events, signature, publicKey }: AgainstRoot, own: string | undefined): string[] {
  const whose = publicKey === own ? 'the key of this home' : `the key ${publicKey}`;
  return [
    ...(holds ? [`The ledger begins with the ${counted(events, 'event')} that the root covers.`] : []),
    ...(signature === 'right' ? [`The root is signed by ${whose}.`] : []),
    ...(signature === 'none' ? ['The root is not signed.'] : []),
  ];
}

/** Of signing.key in the home; what is there and is none is for `seal` to say. */
async function ownKey({ loaded }: Run): Promise<string | undefined> {
  const key = await readSigningKey(homePaths(loaded.config.home).signingKey).catch(() => undefined);
  return key && rawPublicKey(createPublicKey(key));
}
