import { docFlags } from '#views/doc-flags.js';
import type { Columns } from '../../bank-index/columns.js';
import { kernelRoom, kernelWith, putMask, spanNumbers, toldNumbers } from './kernel.js';
import { type AskedTime, fadesMillis, nearness, spanInYear, yearMillis } from './time-scores.js';

/** What all docs of a bank have in common, by language (`docFlags.latin | docFlags.han`): of their cosines with a question. */
export interface Usual {
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly counts: Float64Array;
  readonly nearest: Float64Array;
}

/** Three best sums of each session, how many docs of it were found, and room for a number made of these. */
export interface SessionSums {
  readonly threeBest: Float64Array;
  readonly members: Int32Array;
  readonly means: Float64Array;
}

/** What a pass weighs docs by. */
export interface RoughWeights {
  readonly own: number;
  readonly window: number;
  readonly vector: number;
  readonly time: number;
  readonly session: number;
}

/** How far cosines stand above what is usual, by language, and what standing counts as nothing and as everything. */
export interface Scale {
  readonly means: Float64Array;
  readonly deviation: number;
  readonly floor: number;
  readonly spread: number;
}

/** The highest that words say of any current doc. */
export interface WordsMost {
  readonly own: number;
  readonly window: number;
}

/** Docs that are surveyed: the first `scored.length`. */
export interface Surveyed {
  readonly columns: Pick<
    Columns,
    'docs' | 'flags' | 'session' | 'at' | 'sessions' | 'length' | 'before' | 'leads' | 'alsoLed'
  >;
  /** 1 for each doc that is given a sum. */
  readonly scored: Uint8Array;
  /** 1 for each doc by which others are judged. */
  readonly current: Uint8Array;
  readonly cosines: Float32Array | undefined;
}

/**
 * Numbers per doc of one question, and passes over all of them: in memory of this process that is written anew for each question
 * (`scratch.ts`), by a kernel (`models/kernels/overview.c`), since a pass over 100,000 docs in JavaScript takes a millisecond.
 */
export interface Survey {
  /** A first sum of each doc; NaN of what is not found. */
  readonly rough: Float64Array;
  /** 1 for what names or slots find: whoever sets one takes it back before the next question. */
  readonly listed: Uint8Array;
  /** How near each scored doc's moment is to what is asked about; written by `nearTimes`. */
  readonly near: Float64Array;
  readonly sessions: SessionSums;
  usual(): Usual;
  nearTimes(times: readonly AskedTime[]): void;
  /**
   * Sums of all that is not listed; of what is, how near it is in meaning, 0 to 1, else NaN.
   * @param most of what words say of current docs (`keywordScores`)
   */
  weigh(scale: Scale | undefined, weights: RoughWeights, most: WordsMost, isTimed: boolean): void;
  /** The best docs of a mask, best first, of equal ones the newer first. */
  pick(mask: Uint8Array, weights: RoughWeights, limit: number): { readonly docs: number[]; readonly count: number };
}

const languages = docFlags.latin | docFlags.han;
/** Languages as the kernel numbers them: by two bits. */
const languageBits = [0, docFlags.latin, docFlags.han, languages];
/** Where there are no vectors every cosine is NaN, and so is what is made of it. */
const nothingNear: Scale = { means: new Float64Array(languages + 1), deviation: 1, floor: 0, spread: 1 };
/** Of a span: from, to, two numbers of 32 bits, the place of its years and 4 bytes of nothing. */
const spanBytes = 32;

/**
 * Where the cosines of a question may be put, so that they are not copied to be surveyed.
 * @returns as long as there are docs, or longer
 */
export function roomForCosines(columns: Pick<Columns, 'docs' | 'sessions'>): Float32Array {
  const { kernel, at, docs } = kernelRoom(columns);
  return new Float32Array(kernel.memory.buffer, at.cosines, docs);
}

/** Begins with a question, after its words were scored. */
export function surveyOf({ columns, scored, current, cosines }: Surveyed): Survey {
  const docs = scored.length;
  const room = kernelWith(columns);
  const { kernel, at } = room;
  const { buffer } = kernel.memory;
  putMask(room, at.scored, scored);
  putMask(room, at.current, current);
  const placed = new Float32Array(buffer, at.cosines, docs);
  if (!cosines) placed.fill(Number.NaN);
  else if (cosines.buffer !== buffer) placed.set(cosines.subarray(0, docs));
  const numbers = columns.sessions.size + 1;
  const sessions = {
    threeBest: new Float64Array(buffer, at.threeBest, numbers * 3).fill(0),
    members: new Int32Array(buffer, at.members, numbers).fill(0),
    means: new Float64Array(buffer, at.means, numbers),
  };
  const told = new Float64Array(buffer, at.told, toldNumbers);
  const near = new Float64Array(buffer, at.near, docs);

  return {
    near,
    sessions,
    rough: new Float64Array(buffer, at.rough, docs),
    listed: new Uint8Array(buffer, at.listed, docs),
    usual() {
      kernel.usual(at.cosines, at.flags, at.current, docs, at.told);
      const byLanguage = (from: number): Float64Array => {
        const all = new Float64Array(languages + 1);
        for (const [number, bits] of languageBits.entries()) all[bits] = told[from + number]!;
        return all;
      };
      return { sums: byLanguage(0), squares: byLanguage(4), counts: byLanguage(8), nearest: byLanguage(12) };
    },
    nearTimes(times) {
      new Float64Array(buffer, at.at, docs).set(columns.at.subarray(0, docs));
      kernel.ends(at.at, at.scored, docs, at.told);
      if (writeSpans(buffer, at.spans, times, { oldest: told[0]!, newest: told[1]! }))
        kernel.near_times(at.at, at.scored, docs, at.spans, times.length, yearMillis, fadesMillis, at.near);
      else for (let doc = 0; doc < docs; doc++) if (scored[doc] === 1) near[doc] = nearness(columns.at[doc]!, times);
    },
    weigh(scale, { own, window, vector, time }, most, isTimed) {
      const { means, deviation, floor, spread } = scale ?? nothingNear;
      new Float64Array(buffer, at.scale, 13).set([
        ...languageBits.map((bits) => means[bits]!),
        ...[deviation, floor, spread, own, window, vector, time, most.own, most.window],
      ]);
      new Uint32Array(buffer, at.sights, 7)[6] = isTimed ? at.near : 0;
      kernel.weigh(at.sights, at.wordSums, at.scale, docs, at.rough, at.threeBest, at.members);
    },
    pick(mask, { session }, limit) {
      putMask(room, at.mask, mask);
      const most = Math.min(limit, docs);
      const count = kernel.pick(at.rough, at.session, at.means, at.mask, docs, session, most, at.best, at.scores);
      const held = Math.min(most, count);
      const best = new Int32Array(buffer, at.best, held);
      const scores = new Float64Array(buffer, at.scores, held);
      const order = [...best.keys()].sort((one, other) => scores[other]! - scores[one]! || best[other]! - best[one]!);
      return { docs: order.map((place) => best[place]!), count };
    },
  };
}

/** As the kernel reads them. @returns false where there is no room for all years */
function writeSpans(
  buffer: ArrayBuffer,
  from: number,
  times: readonly AskedTime[],
  { oldest, newest }: { readonly oldest: number; readonly newest: number },
): boolean {
  if (!(oldest <= newest)) return true;
  const end = from + spanNumbers * 8;
  let years = from + times.length * spanBytes;
  const view = new DataView(buffer);
  for (const [place, time] of times.entries()) {
    const at = from + place * spanBytes;
    if (years > end) return false;
    const isMoved = time.yearly && Number.isFinite(time.from) && Number.isFinite(time.to);
    const first = isMoved ? yearsLater(oldest, time) : 0;
    const count = isMoved ? yearsLater(newest, time) - first + 1 : 0;
    if (years + count * 16 > end) return false;
    view.setFloat64(at, time.from, true);
    view.setFloat64(at + 8, time.to, true);
    view.setInt32(at + 16, first, true);
    view.setInt32(at + 20, count, true);
    view.setUint32(at + 24, years, true);
    for (let year = 0; year < count; year++, years += 16) {
      const moved = spanInYear(time, first + year);
      view.setFloat64(years, moved.from, true);
      view.setFloat64(years + 8, moved.to, true);
    }
  }
  return true;
}

function yearsLater(moment: number, { from }: AskedTime): number {
  return Math.round((moment - from) / yearMillis);
}
