import { HindsightError } from '#contract/errors.js';

/** The name of one of a bank's own keys. */
export function bankKeyName(bank: string, kind: 'secret' | 'identity' | 'index'): string {
  return `bank/${bank}/${kind}`;
}

/** What the names of a bank's own keys begin with. */
export function bankPrefix(bank: string): string {
  return `bank/${bank}/`;
}

/** The name of a subject's secret; `subject` is its keyed hash. */
export function subjectName(bank: string, subject: string): string {
  return `subject/${bank}/${subject}`;
}

/** The name that says that a bank's keys were destroyed, and are never to be made again. It names no key. */
export function graveName(bank: string): string {
  return `gone/bank/${bank}`;
}

/** What stands in the place of a key id beside the name of a grave. */
export const noKey = '';

/** The banks whose keys, or whose subjects' secrets, these names are. */
export function banksOf(names: Iterable<string>): ReadonlySet<string> {
  const banks = new Set<string>();
  for (const name of names) {
    const bank = /^(?:bank|subject)\/([^/]+)\//.exec(name)?.[1];
    if (bank !== undefined) banks.add(bank);
  }
  return banks;
}

/** What would make the keys of a bank again that were destroyed: all that was sealed with the former ones would look damaged. */
export function bankIsErased(bank: string): HindsightError {
  return new HindsightError('bank_erased', 'This bank was deleted, with all that was in it.', { bank });
}
