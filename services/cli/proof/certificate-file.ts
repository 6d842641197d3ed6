import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HindsightError } from '#contract/errors.js';

/** What `erase --certificate` writes: the text that was signed, as it was signed, and what signs it (base64url). */
const certificateFile = z.object({
  text: z.string().min(1),
  signature: z.string().optional(),
  public_key: z.string().optional(),
});
export type CertificateFile = z.infer<typeof certificateFile>;

/** @throws HindsightError file_not_found · invalid_input when the file holds no certificate */
export function readCertificateFile(path: string): CertificateFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const why = (cause as Error).message;
    throw new HindsightError('file_not_found', `${path} cannot be read: ${why}.`, { file: path }, { cause });
  }
  try {
    return certificateFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new HindsightError(
      'invalid_input',
      `${path} holds no certificate. Accepted: what \`hindsight-ledger erase --certificate FILE\` writes.`,
      { file: path },
      { cause },
    );
  }
}
