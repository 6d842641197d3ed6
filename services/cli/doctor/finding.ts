/** One thing that doctor looked at. */
export interface Finding {
  readonly check: string;
  readonly status: 'well' | 'warning' | 'wrong' | 'mended';
  /** What was found. */
  readonly says: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** What a check found, and how it can be mended without a risk: only where `--fix` may do it. */
export interface Looked extends Finding {
  readonly fix?: () => Promise<string>;
}

export const well = (check: string, says: string): Looked => ({ check, status: 'well', says });

export const warning = (check: string, says: string, mend: string): Looked => ({
  check,
  status: 'warning',
  says,
  mend,
});

export const wrong = (check: string, says: string, mend: string, fix?: () => Promise<string>): Looked => ({
  check,
  status: 'wrong',
  says,
  mend,
  fix,
});
