import type { Damage } from '#ledger/damage.js';
import type { Fault, LedgerVerification } from '#ledger/verify-ledger.js';
import { type ExportedRoot, isSignedBy } from '#proof/root.js';
import type { CertificateFound } from './check-certificate.js';
import type { ContentsFound } from './check-contents.js';

/** How the ledger stands to a root that was exported earlier. */
export interface AgainstRoot {
  readonly size: number;
  /** Whether the ledger begins with what the root covers. */
  readonly holds: boolean;
  readonly what?: string;
  readonly signature: 'none' | 'right' | 'wrong';
  readonly publicKey?: string;
}

export interface Finding {
  /** What it was caught by. */
  readonly by: 'numbering' | 'hash or chain' | 'seal' | 'exported root' | 'content' | 'certificate';
  readonly position?: string;
  /** One line for a person. */
  readonly message: string;
}

export function againstRoot(ledger: string, root: ExportedRoot, { seals }: LedgerVerification): AgainstRoot {
  const { size, signature, publicKey } = root;
  const signed = signature !== undefined && publicKey !== undefined && isSignedBy(root, { signature, publicKey });
  const said = {
    size,
    signature: signature === undefined ? 'none' : signed ? 'right' : 'wrong',
    ...(publicKey && { publicKey }),
  } as const;
  if (root.ledger !== ledger)
    return { ...said, holds: false, what: `the root is of ledger ${root.ledger}, and this is ${ledger}` };
  const { holds = false, what } = seals.against ?? {};
  return { ...said, holds, ...(what !== undefined && { what }) };
}

/** All that is wrong, in the order of what is known best about it; empty when nothing is. */
export function findingsOf(
  found: LedgerVerification,
  against?: AgainstRoot,
  contents?: ContentsFound,
  certificate?: CertificateFound,
): Finding[] {
  const { broken, missing, seals } = found;
  const findings: Finding[] = [
    ...missing.map(({ first, last }) => ({
      by: 'numbering' as const,
      position: first,
      message:
        first === last
          ? `the event at position ${first} is missing or unreadable`
          : `the events at positions ${first} to ${last} are missing or unreadable`,
    })),
    ...broken.map((fault) => ({ by: 'hash or chain' as const, position: fault.position, message: sentence(fault) })),
    ...seals.faults.map(({ position, after, what }) => ({
      by: 'seal' as const,
      position,
      message: `the seal at position ${position}: ${what}${after === undefined ? '' : `, after what the seal at position ${after} covers`}`,
    })),
  ];
  if (against?.signature === 'wrong')
    findings.push({ by: 'exported root', message: 'the signature of the root is not of what it says' });
  if (against && !against.holds)
    findings.push({ by: 'exported root', message: against.what ?? 'the root was not reached' });
  // A key that is wrong says nothing about the ledger's file, so no position of it is noted as damaged.
  for (const fault of contents?.faults ?? []) findings.push({ by: 'content', message: sentence(fault) });
  for (const what of certificate?.faults ?? [])
    findings.push({ by: 'certificate', message: `the certificate: ${what}` });
  return findings;
}

function sentence({ eventId, position, stream, revision, what }: Fault): string {
  return `event ${eventId} at position ${position} (${stream}, revision ${revision}): ${what}`;
}

/** What to note beside the ledger's file: the first event that is wrong. A root from elsewhere says nothing about the file itself. */
export function damageOf(findings: readonly Finding[], found: LedgerVerification): Omit<Damage, 'at'> | undefined {
  const [first] = findings
    .filter(({ position }) => position !== undefined)
    .sort((one, other) => (one.position! < other.position! ? -1 : 1));
  if (!first) return undefined;
  const gap = found.missing.find((each) => each.first === first.position);
  const what = `${first.message[0]!.toUpperCase()}${first.message.slice(1)}.`;
  return { what, position: first.position!, ...(gap && { through: gap.last }) };
}
