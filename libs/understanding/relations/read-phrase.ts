import { foldName } from '../entities/fold-name.js';
import { chineseObject, chineseSubject } from './chinese-sides.js';
import { englishObject, englishSubject, type Subject } from './english-sides.js';
import { namesBefore, namesBehind } from './listed-names.js';
import type { RelationState, StatedRelation } from './relation.js';
import { asks, clauseEnd, clauseStart, parted, type Side, type Statement } from './sentence.js';
import type { Anchor } from './vocabulary.js';

/** How far behind its first words a phrase may close (在 … 工作). */
const tailReach = 40;
const letter = /[a-z\d_]/;

/** Where the second side begins and where it has to end; undefined when the phrase does not stand at `at`. */
export function stands(lower: string, at: number, { between, through, tail }: Anchor): Room | undefined {
  if (!lower.startsWith(between, at)) return undefined;
  let from = at + between.length;
  if (letter.test(between.at(-1)!) && letter.test(lower[from] ?? '')) return undefined;
  if (through !== '') {
    const found = within(lower, from, through);
    if (found <= from) return undefined;
    from = found + through.length;
  }
  if (tail === '') return { from, to: clauseEnd(lower, from) };
  const to = within(lower, from, tail);
  // 现在在上海工作: the 在 that stands nearest to the tail is the phrase's.
  return to > from && !lower.slice(from, to).includes(between) ? { from, to } : undefined;
}

export interface Room {
  readonly from: number;
  readonly to: number;
}

// Many phrases that begin with one word close with others: what stands behind it is cut out once.
let windowOf = '';
let windowAt = -1;
let window = '';

function within(lower: string, from: number, words: string): number {
  if (from !== windowAt || lower !== windowOf) {
    [windowOf, windowAt] = [lower, from];
    window = lower.slice(from, from + tailReach);
  }
  for (let found = window.indexOf(words); found >= 0; found = window.indexOf(words, found + 1))
    if (isWhole(lower, from + found, words)) return from + found;
  return -1;
}

/** `reason` holds no son. */
function isWhole(lower: string, at: number, words: string): boolean {
  const end = at + words.length;
  if (letter.test(words[0]!) && letter.test(lower[at - 1] ?? '')) return false;
  return !letter.test(words.at(-1)!) || !letter.test(lower[end] ?? '');
}

export interface Stated {
  readonly relations: StatedRelation[];
  readonly subject: Subject;
}

export function read(
  statement: Statement,
  anchor: Anchor,
  at: number,
  room: Room,
  last: Last | undefined,
): Stated | undefined {
  const { text, lower } = statement;
  const han = lower.charCodeAt(at) >= 0x3400;
  const before = sideBefore(statement, anchor, at, han, last);
  if (!before) return undefined;
  const behind = sideBehind(statement, anchor, room, han);
  if (!behind || behind.name === before.name || asks(text, room.from)) return undefined;
  const inOrder = anchor.order === 'subject first';
  const [subject, object] = inOrder ? [before, behind] : [behind, before];
  if (anchor.relation.object === 'value' && isPerson(statement, subject)) return undefined;
  const state = stateOf(statement, anchor, at, before.state);
  const from = Math.min(before.from, at);
  const relations = [relationOf(anchor, subject.name, object.name, state, from, behind.to)];
  if (!inOrder) return { relations, subject: before };
  for (const more of namesBefore(statement, before.from))
    relations.push(relationOf(anchor, more.folded, object.name, state, more.words[0], behind.to));
  if (anchor.relation.holds === 'many' && anchor.tail === '')
    for (const more of namesBehind(statement, behind.to))
      relations.push(relationOf(anchor, subject.name, more.folded, state, from, more.words[1]));
  return { relations, subject: before };
}

export interface Last {
  readonly subject: Subject;
  readonly at: number;
}

/** What stands before the phrase; where nothing does, the subject that the sentence had. */
function sideBefore(
  statement: Statement,
  anchor: Anchor,
  at: number,
  han: boolean,
  last: Last | undefined,
): Subject | undefined {
  const { text } = statement;
  let end = at;
  while (end > 0 && at - end < 4 && /\s/.test(text[end - 1]!)) end--;
  // `Robert, called Bob`: this comma parts nothing; neither do brackets, 王伟（小王）喜欢.
  if (anchor.relation.name === 'alias' && /[,，]/.test(text[end - 1] ?? '')) end--;
  if (/[)）]/.test(text[end - 1] ?? '')) {
    const open = text.slice(Math.max(0, end - 26), end).search(/[(（][^(（]*$/);
    if (open >= 0) end = Math.max(0, end - 26) + open;
  }
  const found = (han ? chineseSubject : englishSubject)(statement, clauseStart(text, end), end);
  if (found !== 'empty') return found;
  return last && !parted(text, last.at, at) ? { ...last.subject, state: 'holds' } : undefined;
}

function isPerson({ mentions, speaker }: Statement, side: Side): boolean {
  if (side.name === 'i' || (speaker !== undefined && side.name === foldName(speaker))) return true;
  return mentions.some(({ kind, words }) => kind === 'person' && words[0] === side.from);
}

/** `lived in` tells of what was, `has lived in` of what is. */
function stateOf({ lower }: Statement, { between }: Anchor, at: number, state: RelationState): RelationState {
  if (state !== 'holds' || !wasOnly.test(between)) return state;
  return /\b(?:has|have|'ve)\s*$/.test(lower.slice(Math.max(0, at - 8), at)) ? state : 'was';
}

const wasOnly = /^(?:lived|worked|studied)\b/;

function sideBehind(statement: Statement, anchor: Anchor, { from, to }: Room, han: boolean): Side | undefined {
  if (anchor.order === 'object first' && anchor.tail && !han) {
    const owner = englishSubject(statement, from, to);
    return owner === 'empty' ? undefined : owner;
  }
  return (han ? chineseObject : englishObject)(statement, from, to, anchor.relation.object);
}

function relationOf(
  { relation }: Anchor,
  subject: string,
  object: string,
  state: RelationState,
  from: number,
  to: number,
): StatedRelation {
  return {
    subject,
    relation: relation.name,
    object,
    holds: relation.holds,
    halfLifeDays: relation.halfLifeDays,
    state,
    words: [from, to],
  };
}
