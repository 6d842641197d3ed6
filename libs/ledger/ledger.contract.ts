import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import type { EncodedEvent } from '#events/envelope.js';
import { type CaughtUp, type Ledger, maxAppendBytes, type StoredEvent } from './ledger.js';
import { sampleStream } from './sample-events.js';

export interface LedgerHarness {
  /** A ledger that holds nothing yet. */
  open(): Promise<Ledger>;
  /** The ledger opened last, once more, as another process would. */
  openAgain(): Promise<Ledger>;
}

/** What every adapter of the Ledger port does, whatever it stands on. */
export function ledgerContract(name: string, harness: LedgerHarness): void {
  describe(`ledger: ${name}`, () => {
    let ledger: Ledger;
    let other: Ledger;

    beforeAll(async () => {
      ledger = await harness.open();
      other = await harness.openAgain();
    });

    afterAll(async () => {
      await ledger.close();
      await other.close();
    });

    /** A stream of so many events, each appended by itself. */
    async function written(count: number): Promise<{ name: string; events: EncodedEvent[] }> {
      const stream = sampleStream(ledger.id);
      const events = Array.from({ length: count }, () => stream.next());
      for (const [revision, event] of events.entries()) await appendAt(ledger, event, revision);
      return { name: stream.name, events };
    }

    describe('an empty ledger', () => {
      it('has no head, reads as nothing and is caught up at once', async () => {
        const empty = await harness.open();
        expect(await empty.head()).toBeUndefined();
        expect(await all(empty.readAll())).toEqual([]);
        expect(await all(empty.readAll({ direction: 'backward' }))).toEqual([]);
        expect(await firstOf(empty.subscribeAll(undefined, new AbortController().signal), 1)).toEqual([
          { caughtUp: true, position: undefined },
        ]);
        await empty.close();
        ledger = await harness.open();
        await other.close();
        other = await harness.openAgain();
      });

      it('has an id of lower-case letters and digits, the same for all who open it', () => {
        expect(ledger.id).toMatch(/^[a-z0-9]+$/);
        expect(other.id).toBe(ledger.id);
      });
    });

    describe('append', () => {
      it('gives back exactly what was stored, byte for byte', async () => {
        const stream = sampleStream(ledger.id);
        const events = [stream.next(), stream.next({ padding: 20_000 })];
        const appended = await ledger.append(stream.name, events, 'no_stream');
        expect(appended).toMatchObject({ revision: 1, repeated: false });
        const stored = await all(other.readStream(stream.name));
        expect(stored.map(withoutPosition)).toEqual(events.map(plain));
        expect(stored[1]!.position).toBe(appended.position);
      });

      it('stores what is appended at once in the order in which it is made, or says that it does not', async () => {
        const events = Array.from({ length: 40 }, () => sampleStream(ledger.id).next());
        const before = await ledger.head();
        await Promise.all(events.map((event) => ledger.append(event.stream, [event], 'no_stream')));
        const stored = (await all(ledger.readAll({ ...(before ? { after: before } : {}) }))).map(({ id }) => id);
        const made = events.map(({ id }) => id);
        expect([...stored].sort()).toEqual([...made].sort());
        if (!ledger.scattersAppends) expect(stored).toEqual(made);
      });

      it('refuses when the stream has moved, and says from what to what', async () => {
        const { name, events } = await written(3);
        const late = sampleStream(ledger.id, memoryIdOf(name));
        late.next();
        const error = await refusal(other.append(name, [late.next()], 0));
        expect(error).toMatchObject({
          code: 'wrong_expected_revision',
          details: { stream: name, expected: 0, actual: 2 },
        });
        expect(error.message).toContain('revision 0');
        expect(error.message).toContain('revision 2');
        expect(await all(ledger.readStream(name))).toHaveLength(events.length);
      });

      it('refuses a first event where a stream is already, and a later one where none is', async () => {
        const { name } = await written(1);
        expect(
          await refusal(ledger.append(name, [sampleStream(ledger.id, memoryIdOf(name)).next()], 'no_stream')),
        ).toMatchObject({
          code: 'wrong_expected_revision',
          details: { stream: name, expected: 'no_stream', actual: 0 },
        });
        const absent = sampleStream(ledger.id);
        absent.next();
        expect(await refusal(ledger.append(absent.name, [absent.next()], 0))).toMatchObject({
          code: 'wrong_expected_revision',
          details: { stream: absent.name, expected: 0, actual: 'no_stream' },
        });
      });

      it('answers as the first time when an answer was lost, from another process too', async () => {
        const stream = sampleStream(ledger.id);
        const first = [stream.next(), stream.next()];
        const second = [stream.next()];
        const answers = [
          await ledger.append(stream.name, first, 'no_stream'),
          await ledger.append(stream.name, second, 1),
        ];
        for (const again of [ledger, other]) {
          expect(await again.append(stream.name, first, 'no_stream')).toEqual({ ...answers[0], repeated: true });
          expect(await again.append(stream.name, second, 1)).toEqual({ ...answers[1], repeated: true });
        }
        expect(await all(ledger.readStream(stream.name))).toHaveLength(3);
      });

      it('does not take a repeated part of an append, or one with other ids, for the same append', async () => {
        const stream = sampleStream(ledger.id);
        const first = stream.next();
        await ledger.append(stream.name, [first], 'no_stream');
        for (const events of [[first, stream.next()], [sampleStream(ledger.id, memoryIdOf(stream.name)).next()]]) {
          expect(await refusal(other.append(stream.name, events, 'no_stream'))).toMatchObject({
            code: 'wrong_expected_revision',
          });
        }
        expect(await all(ledger.readStream(stream.name))).toHaveLength(1);
      });

      it('is atomic: of an append that is refused nothing stays', async () => {
        const { name, events } = await written(1);
        const before = await ledger.head();
        const twin = sampleStream(ledger.id, memoryIdOf(name));
        await refusal(ledger.append(name, [twin.next(), twin.next(), twin.next()], 'no_stream'));
        expect(await ledger.head()).toBe(before);
        expect((await all(other.readStream(name))).map((each) => each.id)).toEqual(events.map((each) => each.id));
      });

      it('gives appends of the same moment their own outcomes', async () => {
        const { name } = await written(1);
        const conflicting = sampleStream(ledger.id, memoryIdOf(name));
        const streams = Array.from({ length: 40 }, () => sampleStream(ledger.id));
        const outcomes = await Promise.allSettled([
          ...streams.slice(0, 20).map((each) => ledger.append(each.name, [each.next()], 'no_stream')),
          ledger.append(name, [conflicting.next(), conflicting.next()], 'no_stream'),
          ...streams.slice(20).map((each) => other.append(each.name, [each.next(), each.next()], 'no_stream')),
        ]);
        expect(outcomes.filter((each) => each.status === 'rejected')).toHaveLength(1);
        expect(outcomes[20]).toMatchObject({ status: 'rejected', reason: { code: 'wrong_expected_revision' } });
        for (const [index, each] of streams.entries()) {
          expect(await all(ledger.readStream(each.name))).toHaveLength(index < 20 ? 1 : 2);
        }
      });

      it('lets one of many who want the same revision win', async () => {
        const { name } = await written(1);
        const rivals = Array.from({ length: 10 }, () => {
          const rival = sampleStream(ledger.id, memoryIdOf(name));
          rival.next();
          return rival.next();
        });
        const outcomes = await Promise.allSettled(
          rivals.map((event, index) => (index % 2 ? ledger : other).append(name, [event], 0)),
        );
        expect(outcomes.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
        expect(await all(ledger.readStream(name))).toHaveLength(2);
      });

      it('takes exactly 768 KiB, and says how large a larger one was', async () => {
        const size = (event: EncodedEvent) => event.bytes.byteLength + 64;
        const empty = size(sampleStream(ledger.id).next());
        const largest = sampleStream(ledger.id);
        await ledger.append(largest.name, [largest.next({ padding: maxAppendBytes - empty })], 'no_stream');
        expect(size((await all(ledger.readStream(largest.name)))[0]!)).toBe(maxAppendBytes);

        const larger = sampleStream(ledger.id);
        const error = await refusal(
          ledger.append(larger.name, [larger.next({ padding: maxAppendBytes - empty + 1 })], 'no_stream'),
        );
        expect(error).toMatchObject({
          code: 'append_too_large',
          details: { bytes: maxAppendBytes + 1, limit: maxAppendBytes },
        });
        expect(await all(ledger.readStream(larger.name))).toEqual([]);
      });

      it('leaves the event loop free while others write', async () => {
        const streams = Array.from({ length: 200 }, () => sampleStream(ledger.id));
        let turns = 0;
        const timer = setInterval(() => {
          turns += 1;
        }, 1);
        await Promise.all([
          writeOneByOne(ledger, streams.slice(0, 100)),
          writeOneByOne(other, streams.slice(100)),
          new Promise((resolve) => setTimeout(resolve, 20)),
        ]);
        clearInterval(timer);
        expect(turns).toBeGreaterThan(0);
      });
    });

    describe('reading', () => {
      it('goes through a stream forward and backward, from a revision, up to a limit', async () => {
        const { name } = await written(5);
        const revisions = async (options: Parameters<Ledger['readStream']>[1]) =>
          (await all(ledger.readStream(name, options))).map((each) => each.revision);
        expect(await revisions({})).toEqual([0, 1, 2, 3, 4]);
        expect(await revisions({ from: 3 })).toEqual([3, 4]);
        expect(await revisions({ from: 1, limit: 2 })).toEqual([1, 2]);
        expect(await revisions({ direction: 'backward' })).toEqual([4, 3, 2, 1, 0]);
        expect(await revisions({ direction: 'backward', from: 2 })).toEqual([2, 1, 0]);
        expect(await revisions({ direction: 'backward', limit: 1 })).toEqual([4]);
        expect(await revisions({ from: 9 })).toEqual([]);
      });

      it('finds nothing of a stream that is not there', async () => {
        expect(await all(ledger.readStream(sampleStream(ledger.id).name))).toEqual([]);
      });

      it('goes through all in the order of appending, after and before a position, exclusive', async () => {
        const { name } = await written(4);
        await written(2);
        const everything = await all(ledger.readAll());
        expect(everything.filter((each) => each.stream === name).map((each) => each.revision)).toEqual([0, 1, 2, 3]);
        const middle = everything[3]!.position;
        expect(await positions(other.readAll({ after: middle }))).toEqual(positionsOf(everything.slice(4)));
        expect(await positions(other.readAll({ before: middle, direction: 'backward' }))).toEqual(
          positionsOf(everything.slice(0, 3).reverse()),
        );
        expect(await positions(ledger.readAll({ direction: 'backward' }))).toEqual(
          positionsOf(everything.toReversed()),
        );
        expect(await positions(ledger.readAll({ after: middle, limit: 2 }))).toEqual(
          positionsOf(everything.slice(4, 6)),
        );
      });

      it('gives positions that sort as text, and whose last is the head', async () => {
        const everything = positionsOf(await all(ledger.readAll()));
        expect(everything.toSorted()).toEqual(everything);
        expect(new Set(everything).size).toBe(everything.length);
        expect(await ledger.head()).toBe(everything.at(-1));
        expect(await other.head()).toBe(everything.at(-1));
      });

      it('lets a reader be slow: what is appended meanwhile goes on', async () => {
        const before = await all(ledger.readAll());
        const seen: string[] = [];
        for await (const event of ledger.readAll({ limit: before.length + 1 })) {
          if (seen.length === 0) await written(1);
          seen.push(event.position);
        }
        expect(seen).toHaveLength(before.length + 1);
      });
    });

    describe('subscribing', () => {
      it('gives what is there after a position, a caught-up mark, then what comes from any process', async () => {
        const { events } = await written(3);
        const everything = await all(ledger.readAll());
        const after = everything.at(-3)!.position;
        const stop = new AbortController();
        const told: (StoredEvent | CaughtUp)[] = [];
        const own = sampleStream(ledger.id);
        const others = sampleStream(ledger.id);
        for await (const each of ledger.subscribeAll(after, stop.signal)) {
          told.push(each);
          if (!('caughtUp' in each)) continue;
          const marks = told.filter((one) => 'caughtUp' in one).length;
          if (marks === 1) await ledger.append(own.name, [own.next()], 'no_stream');
          if (marks === 2) await other.append(others.name, [others.next()], 'no_stream');
          if (marks === 3) stop.abort();
        }
        expect(told.map((each) => ('caughtUp' in each ? 'mark' : each.stream))).toEqual([
          events[1]!.stream,
          events[2]!.stream,
          'mark',
          own.name,
          'mark',
          others.name,
          'mark',
        ]);
        expect(told[2]).toEqual({ caughtUp: true, position: everything.at(-1)!.position });
        expect(told.at(-1)).toEqual({ caughtUp: true, position: await ledger.head() });
      });

      it('ends when the signal aborts, also while it waits, and at once when it is aborted already', async () => {
        const stop = new AbortController();
        const told: (StoredEvent | CaughtUp)[] = [];
        for await (const each of ledger.subscribeAll(await ledger.head(), stop.signal)) {
          told.push(each);
          setTimeout(() => stop.abort(), 30);
        }
        expect(told).toEqual([{ caughtUp: true, position: await ledger.head() }]);
        expect(await all(ledger.subscribeAll(undefined, stop.signal))).toEqual([]);
      });
    });
  });
}

async function appendAt(ledger: Ledger, event: EncodedEvent, revision: number): Promise<void> {
  await ledger.append(event.stream, [event], revision === 0 ? 'no_stream' : revision - 1);
}

async function writeOneByOne(ledger: Ledger, streams: readonly ReturnType<typeof sampleStream>[]): Promise<void> {
  for (const stream of streams) await ledger.append(stream.name, [stream.next()], 'no_stream');
}

async function refusal(promise: Promise<unknown>): Promise<Error & { code: string }> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isHindsightError(error)) throw error ?? new Error('was not refused');
  return error;
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const event of events) found.push(event);
  return found;
}

async function firstOf<T>(events: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = [];
  for await (const event of events) {
    found.push(event);
    if (found.length === count) break;
  }
  return found;
}

const positionsOf = (events: readonly StoredEvent[]) => events.map((each) => each.position);
const positions = async (events: AsyncIterable<StoredEvent>) => positionsOf(await all(events));
const memoryIdOf = (stream: string) => stream.slice(-36);

/** Adapters may give bytes as Buffer or Uint8Array. */
function plain({ bytes, hash, ...rest }: EncodedEvent) {
  return { ...rest, bytes: Buffer.from(bytes), hash: Buffer.from(hash) };
}

function withoutPosition({ position: _, ...event }: StoredEvent) {
  return plain(event);
}
