import type { Entity } from '../entities/entity.js';
import type { Statement } from './sentence.js';

const joined = /^\s?(?:,|、|and|&|和|与|跟|以及|, and)\s?$/;
const mostListed = 16;

/** `Redis, Kafka and Postgres`: the further names of a list that goes on at `from`. */
export function namesBehind({ text, mentions }: Statement, from: number): Entity[] {
  const found: Entity[] = [];
  let end = from;
  // `we use Redis, Priya says`: a person is no further tool.
  const people = mentions.some(({ kind, words }) => kind === 'person' && words[1] === from);
  for (const mention of mentions) {
    const [start, stop] = mention.words;
    if (start < end) continue;
    if (start - end > 6 || found.length >= mostListed || !joined.test(text.slice(end, start))) break;
    if ((mention.kind === 'person') !== people) break;
    found.push(mention);
    end = stop;
  }
  return found;
}

/** `Tom and Jerry live`: the names of a list that ends at `to`. */
export function namesBefore({ text, mentions }: Statement, to: number): Entity[] {
  const found: Entity[] = [];
  // A comma before what is no name parts clauses: `the editor is Vim, the limit is 5`.
  if (!mentions.some(({ words }) => words[0] === to)) return found;
  let start = to;
  for (let index = mentions.length - 1; index >= 0; index--) {
    const mention = mentions[index]!;
    const [from, end] = mention.words;
    if (end > start) continue;
    if (start - end > 6 || found.length >= mostListed) break;
    if (!joined.test(text.slice(end, start))) continue;
    found.push(mention);
    start = from;
  }
  return found;
}
