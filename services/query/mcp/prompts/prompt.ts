import type { Role } from '#contract/caller.js';

/** A prompt that a person picks in the client. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly needs: Role;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  /** The text of the user's turn; required arguments are there. */
  text(args: Readonly<Record<string, string>>): string;
}
