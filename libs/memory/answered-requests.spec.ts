import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Answered, type AnsweredRequests, noRequests } from './answered-requests.js';

const key = fc.nat({ max: 30 }).map(String);
const answered: fc.Arbitrary<Answered> = fc.record({
  print: fc.string({ maxLength: 2 }),
  outcome: fc.constantFrom('stored', 'forgotten', 'restored'),
  version: fc.nat(),
});

describe('answered requests', () => {
  test.prop([fc.array(fc.tuple(key, answered), { maxLength: 60 }), fc.nat({ max: 60 })])(
    'are those of a map, and each earlier state stays as it was',
    (entries, fork) => {
      const states: AnsweredRequests[] = [noRequests];
      for (const [name, value] of entries) states.push(states.at(-1)!.with(name, value));
      const early = Math.min(fork, entries.length);
      const forked = states[early]!.with('forked', { print: '', outcome: 'stored', version: 0 });
      for (const [length, state] of states.entries()) {
        const model = new Map(entries.slice(0, length));
        for (let name = 0; name <= 30; name++) expect(state.get(String(name))).toEqual(model.get(String(name)));
        expect(state.get('forked')).toBeUndefined();
      }
      for (let name = 0; name <= 30; name++) expect(forked.get(String(name))).toEqual(states[early]!.get(String(name)));
    },
  );
});
