import type { MemoryEnriched } from '#events/memory-enriched.js';
import { foldName } from '#understanding/entities/fold-name.js';
import { fieldTerm } from '#understanding/terms/field-terms.js';
import { termHash } from '#understanding/terms/term-hash.js';
import type { FoundByModel } from '../projections/projection.js';

/** Kept of one reading, as of one version by the rules: more than that are a list. */
const keptNames = 32;
const keptTimes = 16;

/** What is drawn from a model's reading, with keyed hashes in the place of names, and of each time its middle: a year says little about a day in it. */
export function hashFound(indexKey: Uint8Array, { entities, dates }: MemoryEnriched['content']): FoundByModel {
  const names = new Set(entities.map(({ name }) => foldName(name)));
  names.delete('');
  const times = new Set(dates.map(({ from, to }) => Math.round((Date.parse(from) + Date.parse(to)) / 2)));
  return {
    names: [...names].slice(0, keptNames).map((name) => termHash(indexKey, fieldTerm('entity', name))),
    times: [...times].filter(Number.isSafeInteger).slice(0, keptTimes),
  };
}
