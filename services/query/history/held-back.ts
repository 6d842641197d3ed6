/** What an answer says that leaves out what nobody has reviewed yet. */
export const heldBackNote = 'What is held back for review is shown to reviewers only.';
