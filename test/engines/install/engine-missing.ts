/** An engine cannot be run on this machine; the message says what lacks, and why it was not installed. */
export class EngineMissing extends Error {
  override readonly name = 'EngineMissing';
}
