import { isHindsightError } from '#contract/errors.js';
import { readSigningKey } from '../proof/signing-key-file.js';
import { type Looked, well, wrong } from './finding.js';

/** Whether seals and certificates can be signed with what is there; nothing where there is no key, which is no fault. */
export async function checkSigningKey(path: string): Promise<Looked[]> {
  try {
    return (await readSigningKey(path)) ? [well('signing key', path)] : [];
  } catch (error) {
    if (!isHindsightError(error)) throw error;
    return [
      wrong(
        'signing key',
        error.message,
        'Put signing.key back from a backup; or move it away, and what is sealed from then on is signed by a new one (`hindsight-ledger seal --sign`), or not at all.',
      ),
    ];
  }
}
