/**
 * Every error a person or a program can meet: its code and what to do about it. The sentence itself is written where the
 * error is raised, since only there it is known what was given.
 */
export const errorCodes = {
  // Input
  invalid_input: 'Correct it and call again.',
  unknown_parameter: 'Use a known one, or leave it out.',
  invalid_time: 'Correct the time and call again.',
  too_large: 'Split the content, or store a reference to it.',
  too_many: 'Send less at once.',
  // Memories
  memory_not_found: 'Check the id, or search for the memory.',
  memory_of_another_bank: 'Use an id, key or basis that this bank gave.',
  natural_key_fixed: 'A memory keeps the key it was first written with: write to the other key instead.',
  version_conflict: 'Read the memory again, then revise what it says now.',
  concurrent_write: 'Call again: other writers were faster every time.',
  idempotency_key_reused: 'Use a new idempotency key for another request.',
  not_forgotten: 'Only a retracted or archived memory can be restored.',
  not_current: 'Restore it first, or leave it as it is.',
  not_quarantined: '`hindsight-ledger review list` shows what is held back.',
  memory_quarantined: 'Have a reviewer release or reject it: `hindsight-ledger review`.',
  memory_erased: 'Write it anew if it is to be remembered again.',
  value_erased:
    'Leave it out; or, if it is meant to come back, write it yourself or import with --allow-erased, which stays on record.',
  confirm_mismatch: 'Run the dry run again and confirm what it shows now.',
  // Banks
  bank_not_found: 'Check its name; `hindsight-ledger bank create` makes a bank, and so does the first write to it.',
  bank_erased: 'Use another bank; one made by the same name is a new and empty one.',
  // Bases
  invalid_basis: 'Give back a basis exactly as an answer of this bank carried it.',
  basis_of_another_bank: 'Use a basis that this bank gave.',
  basis_unresolved: 'The ledger has no event at this basis: it is older than this ledger or the ledger was cut.',
  recipe_unavailable: 'The recipe of this basis is gone; ask as_of its moment instead.',
  // Access
  unauthenticated: 'Send a bearer token: hindsight-ledger token create.',
  forbidden:
    'Over HTTP, ask for a token with the role that this needs. Over stdio there are none: whoever starts the server names its roles by --roles or HINDSIGHT_LEDGER_ROLES.',
  // Ledger and keys
  wrong_expected_revision: 'Read the stream again and decide anew.',
  append_too_large: 'One append takes at most 768 KiB: split it.',
  ledger_busy: 'Another process holds the ledger; try again.',
  ledger_corrupt: 'Run `hindsight-ledger doctor`; restore the ledger from a backup.',
  ledger_read_only: 'Run `hindsight-ledger doctor` to see why writes are refused.',
  ledger_moved:
    'Go on where it names: `hindsight-ledger config` shows what this command uses, docs/migrating.md what to set.',
  disk_full: 'Free space on the disk of the home; nothing acknowledged is lost.',
  no_file: 'Move away what is in the place of the file; put the file back, if there was one.',
  not_writable: 'Make the home writable, or choose another with --home.',
  master_key_missing: 'Put the master.key of this home back; without it nothing in the ledger opens.',
  master_key_wrong: 'Put the master.key that belongs to this home back.',
  keys_missing:
    'Put back whichever file is lost or another home’s: ledger.db and keys.db belong together, and without its keys.db nothing in a ledger opens.',
  key_backup_needed:
    'Set HINDSIGHT_LEDGER_KEY_BACKUP (or --key-backup) to the file that is to hold the copy of the keys, made anew each time; or say --no-key-backup, and make one yourself.',
  key_not_found: 'The key store lacks a key that no erasure removed: restore keys.db from a backup.',
  newer_format: 'Install the release that wrote it.',
  unknown_event: 'Install the release that wrote it.',
  event_unreadable:
    'Run `hindsight-ledger verify` to see what is damaged; restore the ledger or keys.db from a backup.',
  keys_unreachable:
    'Start the database of the keys, or correct HINDSIGHT_LEDGER_KEYS_URL; nothing is lost, and nothing sealed can be read or written until then.',
  service_refused: 'Give all services the same keys database and master key, and set their clocks by a time server.',
  relay_superseded: 'Another relay has taken over; this one waits until it is needed.',
  rate_limited: 'Wait, then call again.',
  outcome_unknown: 'Call again with the same idempotency key to find out, or to do it once.',
  checkpoint_moved: 'Another process projected first; read the checkpoint again.',
  views_behind:
    'Start the projector and the relay (`hindsight-ledger doctor` says what is missing), or wait and call again.',
  views_missing: 'Start a projector (`hindsight-ledger serve --role projector`): it makes the views from the ledger.',
  database_refused:
    'Let an administrator of the database run the statement that the message names, or correct the role in its address.',
  embeddings_unavailable:
    'Keywords answer meanwhile; correct what the message names, or wait until the model is loaded.',
  // Configuration and files
  invalid_config: 'Correct the setting.',
  unreachable: 'Start the service, or correct its address.',
  file_not_found: 'Check the path.',
  internal: 'This is a fault of the program: please report it.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** An error for the person who reads it: what was wrong, what was given, what is accepted; `hint` says what to do. */
export class HindsightError extends Error {
  override readonly name = 'HindsightError';
  constructor(
    readonly code: ErrorCode,
    sentence: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: { cause?: unknown },
  ) {
    super(sentence, options);
  }

  get hint(): string {
    return errorCodes[this.code];
  }
}

export function isHindsightError(error: unknown, code?: ErrorCode): error is HindsightError {
  return error instanceof HindsightError && (code === undefined || error.code === code);
}
