import type { StoredEvent } from '#ledger/ledger.js';
import type { CertificateFile } from './certificate-file.js';
import { certificateIn, completionIn } from './certificate-of.js';
import { isCertificateSignedBy } from './certificate-signer.js';

/** How the certificate of an erasure stands to the ledger that is verified. */
export interface CertificateFound {
  readonly erasure?: string;
  readonly signature: 'none' | 'right' | 'wrong';
  /** 32 bytes, base64url. */
  readonly publicKey?: string;
  /** Whether the ledger holds this text as that of this erasure. */
  readonly stands: boolean;
  /** Of the event that completed the erasure. */
  readonly position?: string;
  /** What is wrong, one sentence each. */
  readonly faults: readonly string[];
}

export interface CertificateCheck {
  take(event: StoredEvent): void;
  found(): CertificateFound;
}

/** Holds a certificate against its own signature, and against the completion of its erasure while all events go by. */
export function certificateCheck(ledger: string, certificate: CertificateFile): CertificateCheck {
  const { text, signature, public_key: publicKey } = certificate;
  const said = saidIn(text);
  let kept: { readonly position: string; readonly certificate: CertificateFile | undefined } | undefined;
  return {
    take(event) {
      const completed = completionIn(event);
      if (completed && completed.erasureId === said?.erasure)
        kept = { position: event.position, certificate: certificateIn(completed) };
    },
    found() {
      const signed =
        signature === undefined && publicKey === undefined
          ? 'none'
          : isCertificateSignedBy(text, { signature, publicKey })
            ? 'right'
            : 'wrong';
      const stands = said?.ledger === ledger && kept?.certificate?.text === text;
      return {
        ...(said && { erasure: said.erasure }),
        signature: signed,
        ...(publicKey !== undefined && { publicKey }),
        stands,
        ...(kept && { position: kept.position }),
        faults: [...(signed === 'wrong' ? ['its signature is not of what it says'] : []), ...faultsOfText()],
      };
    },
  };

  function faultsOfText(): string[] {
    if (!said) return ['it does not say of which ledger and which erasure it is'];
    if (said.ledger !== ledger) return [`it is of ledger ${said.ledger}, and this is ${ledger}`];
    if (!kept) return [`the ledger holds no completed erasure ${said.erasure}`];
    const { certificate: inLedger } = kept;
    if (inLedger?.text !== text) return [`the ledger says otherwise of erasure ${said.erasure}`];
    if (inLedger.signature === signature && inLedger.public_key === publicKey) return [];
    const who = inLedger.public_key === undefined ? 'is not signed' : `is signed by ${inLedger.public_key}`;
    return [`the certificate that the ledger holds ${who}, and this one has another signature or none`];
  }
}

function saidIn(text: string): { readonly ledger: string; readonly erasure: string } | undefined {
  try {
    const said = JSON.parse(text) as { format?: unknown; ledger?: unknown; erasure?: unknown } | null;
    if (said?.format !== 'hindsight-ledger/erasure/1') return undefined;
    if (typeof said.ledger !== 'string' || typeof said.erasure !== 'string') return undefined;
    return { ledger: said.ledger, erasure: said.erasure };
  } catch {
    return undefined;
  }
}
