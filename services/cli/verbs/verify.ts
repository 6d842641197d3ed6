import { createPublicKey } from 'node:crypto';
import { homePaths } from '#config/home.js';
import { HindsightError } from '#contract/errors.js';
import type { Ledger } from '#ledger/ledger.js';
import { lastSeal } from '#ledger/seal-ledger.js';
import { type LedgerVerification, verifyLedger } from '#ledger/verify-ledger.js';
import { type ExportedRoot, rawPublicKey } from '#proof/root.js';
import { counted, size } from '#query/mcp/render/shown.js';
import { exitCode } from '../exit-codes.js';
import { readCertificateFile } from '../proof/certificate-file.js';
import { type CompletedErasure, completedErasure } from '../proof/certificate-of.js';
import { type CertificateFound, certificateCheck } from '../proof/check-certificate.js';
import { type ContentsFound, contentsCheck } from '../proof/check-contents.js';
import { type AgainstRoot, againstRoot, damageOf, type Finding, findingsOf } from '../proof/findings.js';
import { openLedgerAlone } from '../proof/open-ledger.js';
import { type ConsistencyProof, type InclusionProof, proveConsistency, proveInclusion } from '../proof/prove.js';
import { readRootFile } from '../proof/root-file.js';
import { readSigningKey } from '../proof/signing-key-file.js';
import { progress } from '../render/progress.js';
import { type Run, verb } from '../verb.js';

interface Options {
  against?: string;
  certificate?: string;
  certificates?: boolean;
  contents?: boolean;
  prove?: string;
}

export const verify = () =>
  verb<Options>('verify', 'rehash every event, follow the chain of every stream, check every seal', check)
    .option('--contents', 'open every content, too: whether keys belong to what they seal is seen in no hash')
    .option('--against <file>', 'a root that was exported earlier: the ledger has to begin with what it covers')
    .option(
      '--certificate <file>',
      'and check the certificate of an erasure: its signature, and that the ledger holds it',
    )
    .option(
      '--certificates',
      'and list the certificates of all erasures; with --json each as `erase --certificate` writes it',
    )
    .option('--prove <event>', 'and prove that the last seal covers this event, by its id');

async function check(run: Run, given: Options): Promise<void> {
  const root = given.against === undefined ? undefined : readRootFile(given.against);
  const file = given.certificate === undefined ? undefined : readCertificateFile(given.certificate);
  const opened = given.contents ? await run.open({ missingBank: 'leave' }) : undefined;
  const contents = opened && contentsCheck(opened.vault);
  const { ledger, gapBetween, strayed, refuseWrites, mend } = await openLedgerAlone(run.loaded.config);
  const certificate = file && certificateCheck(ledger.id, file);
  const erasures: CompletedErasure[] = [];
  const bar = progress(run.out, 'Verifying', 'events');
  try {
    const found = await verifyLedger(ledger, {
      signal: run.signal,
      gapBetween,
      strayed,
      against: root?.ledger === ledger.id ? root : undefined,
      alongside:
        contents || certificate || given.certificates
          ? async (event) => {
              const erasure = given.certificates ? completedErasure(event) : undefined;
              if (erasure) erasures.push(erasure);
              certificate?.take(event);
              await contents?.take(event);
            }
          : undefined,
      onProgress: (events) => bar.at(events),
    });
    bar.end();
    const against = root && againstRoot(ledger.id, root, found);
    const findings = findingsOf(found, against, contents?.found(), certificate?.found());
    const damage = damageOf(findings, found);
    const proofs = findings.length > 0 ? {} : await proofsOf(ledger, root, given.prove);
    const own = await ownKey(run);
    const answer = {
      ...found,
      ...(against && { against }),
      ...(contents && { contents: contents.found() }),
      ...(certificate && { certificate: certificate.found() }),
      ...(given.certificates && { certificates: erasures }),
      ...proofs,
    };
    run.out.answer(answer, () =>
      [
        headline(found, findings),
        ...findings.map(({ message }) => `  ${message}`),
        ...sealLines(found, own),
        ...(against ? againstLines(against, own, root?.ledger === ledger.id) : []),
        ...(contents ? contentsLines(contents.found()) : []),
        ...(certificate ? certificateLines(certificate.found(), own) : []),
        ...(given.certificates ? erasureLines(erasures) : []),
        ...proofLines(proofs),
        ...(damage ? [mend] : []),
      ].join('\n'),
    );
    if (findings.length === 0) return;
    if (damage) refuseWrites?.(damage);
    run.exitWith(exitCode.foundWrong);
  } finally {
    bar.end();
    await ledger.close();
  }
}

interface Proofs {
  readonly consistency?: ConsistencyProof | undefined;
  readonly inclusion?: InclusionProof | undefined;
}

/** For somebody who holds a root and has no ledger. */
async function proofsOf(ledger: Ledger, root: ExportedRoot | undefined, event: string | undefined): Promise<Proofs> {
  const last = root || event !== undefined ? await lastSeal(ledger) : undefined;
  if (event !== undefined && !last)
    throw new HindsightError('invalid_input', 'Nothing is sealed yet: run `hindsight-ledger seal` first.');
  return {
    ...(root && last && { consistency: await proveConsistency(ledger, last.seal, root) }),
    ...(event !== undefined && last && { inclusion: await proveInclusion(ledger, last.seal, event) }),
  };
}

function proofLines({ inclusion }: Proofs): string[] {
  if (!inclusion) return [];
  const { rank, size: events, root, eventHash, path } = inclusion;
  return [
    `Event ${inclusion.eventId} is number ${rank + 1} of the ${events} with root ${root} (RFC 9162 §2.1.3):`,
    `  leaf ${eventHash}`,
    ...path.map((each) => `  ${each}`),
  ];
}

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

function againstLines(
  { holds, size: events, signature, publicKey }: AgainstRoot,
  own: string | undefined,
  isOfThis: boolean,
): string[] {
  if (!isOfThis)
    return [
      'The root says nothing of this ledger, and no backup mends that: verify the ledger that it was exported from (--home), or give a root of this one.',
    ];
  if (!holds)
    return ['Since the root was exported, history was rewritten or cut: restore a backup that begins with it.'];
  const whose = publicKey === own ? 'the key of this home' : `the key ${publicKey}`;
  return [
    `The ledger begins with the ${counted(events, 'event')} that the root covers.`,
    ...(signature === 'right' ? [`The root is signed by ${whose}.`] : []),
    ...(signature === 'none' ? ['The root is not signed.'] : []),
  ];
}

function certificateLines(
  { erasure, stands, position, signature, publicKey }: CertificateFound,
  own: string | undefined,
) {
  const by = publicKey === own ? `the key of this home, ${publicKey}` : `the key ${publicKey}`;
  return [
    ...(stands ? [`The ledger holds the certificate of erasure ${erasure}, at position ${position}.`] : []),
    ...(signature === 'right' ? [`The certificate is signed by ${by}.`] : []),
    ...(signature === 'none' ? ['The certificate is not signed.'] : []),
  ];
}

function erasureLines(erasures: readonly CompletedErasure[]): string[] {
  if (erasures.length === 0) return ['Nothing was erased.'];
  return erasures.map(({ erasure, completedAt, memories, bank, certificate }) => {
    const signed = certificate?.public_key ? `signed by ${certificate.public_key}` : 'not signed';
    const what = bank === undefined ? counted(memories, 'memory', 'memories') : `the whole bank ${bank}`;
    return `Erasure ${erasure}, completed ${completedAt}: ${what}, ${signed}.`;
  });
}

function contentsLines({ opened, gone, faults }: ContentsFound): string[] {
  const erased = gone > 0 ? `; ${counted(gone, 'content')} erased or expired` : '';
  return [
    `${counted(opened, 'content')} opened${erased}.`,
    ...(faults.length > 0
      ? ['What does not open: restore the keys (keys.db, or the keys database) and master.key.']
      : []),
  ];
}

/** Of signing.key in the home; what is there and is none is for `seal` to say. */
async function ownKey({ loaded }: Run): Promise<string | undefined> {
  const key = await readSigningKey(homePaths(loaded.config.home).signingKey).catch(() => undefined);
  return key && rawPublicKey(createPublicKey(key));
}
