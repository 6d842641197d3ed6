import type { Entity, EntityKind } from '../entities/entity.js';
import { foldName } from '../entities/fold-name.js';
import type { RelationState } from './relation.js';
import type { ObjectKind } from './relation-pack.js';
import { mentionsWithin, type Side, type Statement } from './sentence.js';

/** What stands between a subject and its verb and says when or whether it holds. */
const trailing =
  /(?:^|[\s,])(no longer|not|never|doesn't|don't|didn't|isn't|aren't|wasn't|won't|hasn't|haven't|stopped|used to|will|'ll|would|could|might|may|should|plans to|plan to|wants to|want to|hopes to|is going to|are going to|'m going to|am going to|has to|have to|decided to|agreed to|chose to|had to|started|started to|began to|also|now|currently|still|just|recently|already|finally|actually|really|always|usually|probably|then|both|all|has|have|had|'ve|'s|'d|is|are|was|were|am|'m|'re|be|been|only|mostly|mainly|even|who|which|that|previously|originally|formerly|once|later|soon|officially|permanently)$/;
const states: readonly (readonly [RegExp, RelationState])[] = [
  [/^(?:no longer|not|never|doesn't|don't|didn't|isn't|aren't|wasn't|won't|hasn't|haven't|stopped)$/, 'not'],
  [/^(?:used to|previously|originally|formerly|once|had|'d)$/, 'was'],
  [
    /^(?:will|'ll|would|could|might|may|should|plans? to|wants? to|hopes to|(?:is|are|'m|am) going to|soon)$/,
    'planned',
  ],
];
const nobody =
  /(?:^|\s)(?:he|she|it|they|you|this|that|these|those|who|which|what|there|someone|everyone|everybody|anyone|nobody|one|his|her|hers|their|its|your|whose|people|him|them)$/;
const first = /(?:^|\s)(i|we|my|our)$/;
const phrase = /(?:^|\s)(?:(the|our|my|a|an|this|each|every) )((?:[\w./-]+ ){0,3}[\w./-]+)$/;
/** Alone they name nothing. */
const bareArticle = /^(?:the|a|an|our|my|this|each|every)$/;
const plain = /^((?:[\w./-]+ ){0,2}[\w./-]+)$/;
const weakStarts =
  /^(?:and|but|or|so|because|when|while|if|after|before|since|although|yesterday|today|last|in|on|at|for|with|to|please|also|let's|thanks|yes|no|what|how|why|where|can|could|do|did|is|are|was|not|just|may|will) /;

export interface Subject extends Side {
  readonly state: RelationState;
}

/** What stands before the verb: undefined where nobody is named (he, she, who), `empty` where nothing is said. */
export function englishSubject(statement: Statement, from: number, to: number): Subject | 'empty' | undefined {
  const { lower, speaker } = statement;
  let end = to;
  let state: RelationState = 'holds';
  for (let round = 0; round < 6; round++) {
    while (end > from && /[\s,]/.test(lower[end - 1]!)) end--;
    const word = trailing.exec(lower.slice(Math.max(from, end - 24), end))?.[1];
    if (!word) break;
    // Anna's: the owner, and no verb, where a noun follows.
    if (word === "'s" && round === 0) break;
    const found = states.find(([form]) => form.test(word))?.[1];
    if (found && state === 'holds') state = found;
    end -= word.length;
  }
  while (end > from && /\s/.test(lower[end - 1]!)) end--;
  const left = lower.slice(from, end);
  if (/(?:^|\s)(?:and|but|then)$|^\s*$/.test(left)) return 'empty';
  const owned = /'s$/.test(left) ? 2 : 0;
  const entity = entityAt(statement, from, end - owned);
  if (entity) return { name: entity.folded, from: entity.words[0], to: entity.words[1], state };
  if (first.test(left)) {
    const length = first.exec(left)![1]!.length;
    return { name: speaker ? foldName(speaker) : 'i', from: end - length, to: end, state };
  }
  if (nobody.test(left)) return undefined;
  const named = nounPhrase(statement, from, end - owned);
  if (named) return { ...named, state };
  const others = mentionsWithin(statement, Math.max(from, end - 48), end).filter(isActor);
  const only =
    others.length > 0 && others.every((each) => each.words[0] < others[0]!.words[1]) ? others[0]! : undefined;
  return only && { name: only.folded, from: only.words[0], to: only.words[1], state };
}

function isActor({ kind }: Entity): boolean {
  return kind === 'person' || kind === 'organisation' || kind === 'tool' || kind === 'name';
}

/** The longest mention that ends there. */
function entityAt(statement: Statement, from: number, end: number): Entity | undefined {
  return mentionsWithin(statement, from, end).find(({ words }) => words[1] === end);
}

/** `the billing service`; `my sister` is somebody else than the speaker. */
function nounPhrase({ lower, speaker }: Statement, from: number, end: number): Side | undefined {
  const left = lower.slice(from, end);
  // From the last article on: `a second, although our throttle`.
  const match = phrase.exec(left.slice(Math.max(0, lastArticle(left))));
  if (match) {
    const [, article, words] = match;
    const at = end - words!.length;
    const owner = article === 'my' || article === 'our' ? (speaker ? `${foldName(speaker)}'s ` : `${article} `) : '';
    return { name: owner + foldName(words!), from: owner ? at - article!.length - 1 : at, to: end };
  }
  const start = from + (left.length - left.trimStart().length);
  const words = plain.exec(lower.slice(start, end))?.[1];
  return words && !bareArticle.test(words) && !weakStarts.test(`${words} `) && /[a-z]{2}/.test(words)
    ? { name: foldName(words), from: start, to: end }
    : undefined;
}

function lastArticle(left: string): number {
  let last = 0;
  for (const { index } of left.matchAll(eachArticle)) last = index;
  return last;
}
const eachArticle = /(?:^|\s)(?:the|our|my|a|an|this|each|every) (?=\S)/g;

const articles =
  /^(?:the|a|an|my|our|his|her|their|its|now|currently|also|only|both|about|around|roughly|already|using|called|named|to|new|latest|own|just|being|that|on|be)\s+/;
/** What a setting may be set to, numbers apart. */
export const valued: ReadonlySet<EntityKind> = new Set(['tool', 'version', 'path', 'identifier', 'url', 'email']);
const noObject =
  /^(?:him|her|hers|it|them|that|this|these|those|there|here|me|us|you|who|what|which|when|where|how|why|if|home|back|again|now|very|so|too|more|less)\b/;
const stops = new Set(
  `and but or because since so when while which that who for with in at on to from by as after before if than last next this yesterday today tomorrow again
  now instead too every during until about where then though although is are was were has have had will would i we he she they it you not`.split(
    /\s+/,
  ),
);

/** What stands behind the verb. */
export function englishObject(statement: Statement, from: number, to: number, kind: ObjectKind): Side | undefined {
  const { lower, text } = statement;
  let start = from;
  for (let round = 0; round < 4; round++) {
    while (start < to && /\s/.test(lower[start]!)) start++;
    const article = kind === 'clause' ? undefined : articles.exec(lower.slice(start, Math.min(to, start + 20)))?.[0];
    if (!article) break;
    start += article.length;
  }
  if (kind === 'number') {
    const number = /^\d{1,12}(?:\.\d+)?/.exec(lower.slice(start, Math.min(to, start + 20)))?.[0];
    return number ? { name: number, from: start, to: start + number.length } : undefined;
  }
  if (kind === 'clause') {
    const words = /^(?:\S+\s?){1,16}/.exec(lower.slice(start, Math.min(to, start + 160)))?.[0].trimEnd();
    return words && words.length > 2 ? { name: foldName(words), from: start, to: start + words.length } : undefined;
  }
  const beginning = mentionsWithin(statement, start, Math.min(text.length, start + 100)).filter(
    ({ words }) => words[0] === start,
  );
  if (kind === 'value' && beginning.some(({ kind: what }) => !valued.has(what))) return undefined;
  if (beginning.length > 0) {
    const longest = beginning.reduce((one, other) => (other.words[1] > one.words[1] ? other : one));
    return { name: longest.folded, from: longest.words[0], to: longest.words[1] };
  }
  if (kind === 'value' && !/^[$€£¥+]?\d/.test(text.slice(start, start + 2))) return undefined;
  if (noObject.test(lower.slice(start, start + 12))) return undefined;
  let end = start;
  let count = 0;
  while (end < to && count < 6) {
    const word = /^\s?[^\s]{1,60}/.exec(lower.slice(end, Math.min(to, end + 62)))?.[0];
    if (!word || stops.has(word.trim())) break;
    end += word.length;
    count++;
  }
  const words = text.slice(start, end).replace(/(?:\s(?:of|the|a|an|more|most))+$/i, '');
  return words.length > 0 ? { name: foldName(words), from: start, to: start + words.length } : undefined;
}
