import { createHash } from 'node:crypto';
import type { VectorSpace } from './embedder.js';

/** Of the rules of this file, and of what counts as said before: vectors of passages that were made by other ones are not compared with these. */
const passageVersion = 2;

/**
 * How much of what was said before is embedded with a turn, in Latin letters: some 100 pieces of 256, so that the turn itself has most of
 * the room.
 */
const windowLetters = 400;
/** A Han character is a token by itself mostly, and a token some four letters. */
const han = /\p{Script=Han}/u;
const hanLetters = 4;

/**
 * What of a version is embedded: its own text; of a turn of a session behind what was said just before it, or the end of that where it is
 * long. An answer is often understood only with the question before it.
 */
export function passageOf(text: string, before?: string): string {
  return before === undefined ? text : `${endOf(before)}\n${text}`;
}

/** Hex digits in front of the model's own name: by them alone no two spaces are mistaken for each other. */
const told = 16;

/** The space of passages: another one where they are cut otherwise, though the model is the same. */
export function passageSpace({ model, dimensions }: VectorSpace): VectorSpace {
  const of = createHash('sha256').update(`${model} passages ${passageVersion}`).digest('hex');
  return { model: of.slice(0, told) + model, dimensions };
}

/** The model whose passages a space is of; undefined where they are cut otherwise now. */
export function modelOfPassages({ model, dimensions }: VectorSpace): VectorSpace | undefined {
  const own = { model: model.slice(told), dimensions };
  return passageSpace(own).model === model ? own : undefined;
}

function endOf(text: string): string {
  // Cut at a whole character.
  const characters = Array.from(text.slice(-windowLetters).replace(/^[\uDC00-\uDFFF]/, ''));
  let left = windowLetters;
  let from = characters.length;
  while (from > 0) {
    left -= han.test(characters[from - 1]!) ? hanLetters : 1;
    if (left < 0) break;
    from--;
  }
  return characters.slice(from).join('');
}
