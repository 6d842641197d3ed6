/** Features of the ranking as a person reads them (services/query/recall/ranking/features.ts); a new one is spelled out by its name. */
const words: Readonly<Record<string, string>> = {
  words: 'its words',
  wordsInContext: 'its words and those before it',
  coverage: 'how much of the question it holds',
  coverageInContext: 'how much of the question it and the text before it hold',
  wordsBefore: 'words of the text before it',
  wordsAfter: 'words of the text after it',
  partsOfWords: 'parts of words',
  meaning: 'meaning',
  meaningStands: 'how far its meaning stands out',
  meaningCosine: 'how near its meaning is',
  meaningAcross: 'is in the other language',
  meaningAcrossBesideOwn: 'is in the other language, beside what is near in the question’s own',
  meaningAfter: 'meaning of the text after it',
  meaningBefore: 'meaning of the text before it',
  session: 'its session',
  sessionAndFit: 'its session, as far as it fits itself',
  length: 'length',
  isQuestion: 'is a question itself',
  speakerNamed: 'said by who is named',
  otherSpeakerNamed: 'said by another than who is named',
  saidByAsker: 'said by who asks',
  tellsWish: 'tells a wish',
  tellsWishAsked: 'tells a wish, where help is asked for',
  tellsTime: 'tells a time',
  tellsNumber: 'tells a number',
  inTime: 'happened in the time asked about',
  nearTime: 'happened near the time asked about',
  names: 'names',
  key: 'its key',
  tags: 'its tags',
  recency: 'recency',
  bestCoverage: 'how much of the question anything holds',
  bestMeaning: 'how far any meaning stands out',
  // Of the profile `seeds`.
  vector: 'meaning',
  keyword: 'its words',
  graph: 'names',
};

export function featureWords(name: string): string {
  return words[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/_/g, ' ');
}
