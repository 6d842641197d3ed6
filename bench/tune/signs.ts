import type { FeatureName } from '#query/recall/ranking/features.js';

/**
 * Which way each feature may speak: 1 for a memory, -1 against it, 0 either way. A weight that speaks the other way was learned from what goes
 * together in one set (the best by its own words is also the best in context, and one takes from the other), and holds for no other.
 */
export const signs: Readonly<Record<FeatureName, -1 | 0 | 1>> = {
  words: 1,
  wordsInContext: 1,
  coverage: 1,
  coverageInContext: 1,
  // A text that follows on one that fits by its own words mostly answers it, or is small talk about it.
  wordsBefore: 0,
  wordsAfter: 1,
  partsOfWords: 1,
  meaning: 1,
  meaningStands: 1,
  meaningCosine: 1,
  // Cosines across languages lie lower: this makes up for it, by as much as the next takes back.
  meaningAcross: 0,
  meaningAcrossBesideOwn: -1,
  meaningAfter: 1,
  meaningBefore: 1,
  session: 1,
  sessionAndFit: 1,
  // Longer turns say more; long messages say much that is not asked.
  length: 0,
  isQuestion: -1,
  speakerNamed: 1,
  otherSpeakerNamed: -1,
  saidByAsker: 1,
  tellsWish: 1,
  tellsWishAsked: 1,
  tellsTime: 1,
  tellsNumber: 1,
  inTime: 1,
  nearTime: 1,
  names: 1,
  key: 1,
  tags: 1,
  recency: 1,
  bestCoverage: 1,
  bestMeaning: 1,
};
