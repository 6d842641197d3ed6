import { beginningOf } from './batches.js';
import { probeText } from './probe.js';
import { Trouble } from './trouble.js';

export interface Taking {
  /** One request. @throws Trouble */
  ask(texts: readonly string[]): Promise<Float32Array[]>;
  /** Whether the model is to be looked at with what is asked next. */
  isDue(): boolean;
  /** @throws HindsightError where this is not what the model made of the probe before */
  check(probe: Float32Array): void;
  readonly dimensions: number;
}

/** Characters: a text that is not taken although it is no longer than this is given up. */
const shortest = 200;

/**
 * The vectors of a batch. One text that a server does not take (too long for it, or one that makes it answer NaN) spoils neither the others
 * nor the server's name: they are asked for in ever smaller batches, and it in ever shorter forms.
 * @returns undefined in the place of a text that is taken in no form
 * @throws Trouble where it is not the texts · what `check` throws
 */
export async function takenOf(
  texts: readonly string[],
  taking: Taking,
  among: 'all' | 'suspects' = 'all',
): Promise<(Float32Array | undefined)[]> {
  // A server that takes one text at a time would take none that has the probe beside it.
  const isAlone = among === 'suspects' && texts.length === 1 && taking.isDue();
  let vectors: Float32Array[] | undefined;
  try {
    vectors = await (isAlone ? taking.ask(texts) : asked(texts, taking));
  } catch (error) {
    if (!(error instanceof Trouble) || error.kind === 'away' || error.kind === 'setup') throw error;
  }
  // What it makes of the probe alone is no matter of the texts.
  if (vectors ? isAlone : among === 'all') taking.check((await taking.ask([probeText]))[0]!);
  if (vectors && vectors[0]!.length === taking.dimensions) return vectors;
  const [text] = texts;
  if (texts.length > 1) {
    const half = Math.ceil(texts.length / 2);
    const first = await takenOf(texts.slice(0, half), taking, 'suspects');
    return [...first, ...(await takenOf(texts.slice(half), taking, 'suspects'))];
  }
  if (among === 'all' && taking.isDue()) return takenOf(texts, taking, 'suspects');
  if (text!.length <= shortest) return [undefined];
  return takenOf([beginningOf(text!, Math.ceil(text!.length / 2))], taking, 'suspects');
}

async function asked(texts: readonly string[], taking: Taking): Promise<Float32Array[]> {
  const withProbe = taking.isDue();
  const vectors = await taking.ask(withProbe ? [...texts, probeText] : texts);
  if (withProbe) taking.check(vectors.pop()!);
  // Asked without the probe: no vector of another length is that of the same model.
  if (vectors[0]!.length !== taking.dimensions) taking.check(vectors[0]!);
  return vectors;
}
