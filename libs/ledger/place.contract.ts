import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import type { Appended, Ledger, StoredEvent } from './ledger.js';
import type { Place, PlaceName } from './place.js';
import { sampleStream } from './sample-events.js';

/** One place, which may be opened several times. */
export interface PlaceUnderTest {
  open(coming?: { ledger: string; from: PlaceName }): Promise<Place>;
  /** As a process that writes has it. */
  writer(): Promise<Ledger>;
  remove(): Promise<void>;
}

const elsewhere: PlaceName = { id: 'elsewhere', shown: 'another place' };

/** What every place does that a ledger is moved from and to. */
export function placeContract(make: () => Promise<PlaceUnderTest>): void {
  let under: PlaceUnderTest;
  const leaving: (() => Promise<void>)[] = [];
  const open = async (coming?: { ledger: string; from: PlaceName }) => {
    const place = await under.open(coming);
    leaving.push(() => place.leave());
    return place;
  };
  const writer = async () => {
    const ledger = await under.writer();
    leaving.push(() => ledger.close());
    return ledger;
  };
  beforeEach(async () => {
    under = await make();
  });
  afterEach(async () => {
    for (const leave of leaving.splice(0)) await leave();
    await under.remove();
  });

  describe('a place that a ledger is coming to', () => {
    const coming = { ledger: 'abcdef0123456789', from: elsewhere };

    it('has the id of that ledger, and is one place however often it is opened', async () => {
      const place = await open(coming);
      const again = await open(coming);
      expect(place.ledger.id).toBe('abcdef0123456789');
      expect(again.name).toEqual(place.name);
      expect(place.name.id).toMatch(/^[0-9a-f]{16,}$/);
      expect(await again.status()).toEqual({ open: false, ledgerIsAt: elsewhere, cut: undefined });
      await expect(open({ ...coming, ledger: '0000000000000000' })).rejects.toMatchObject({ code: 'invalid_config' });
    });

    it('refuses whoever appends, and says where the ledger is', async () => {
      await open(coming);
      const ledger = await writer();
      const stream = sampleStream(ledger.id);
      await expect(ledger.append(stream.name, [stream.next()], 'no_stream')).rejects.toMatchObject({
        code: 'ledger_moved',
        details: { at: 'another place' },
      });
      expect(await ledger.head()).toBeUndefined();
    });

    it('is filled in the order given, and with nothing twice', async () => {
      const place = await open(coming);
      const [one, two] = [sampleStream(place.ledger.id), sampleStream(place.ledger.id)];
      const events = [
        one.next(),
        two.next(),
        one.next(),
        two.next({ padding: 500_000 }),
        two.next({ padding: 500_000 }),
      ];
      const appends = events.map((event) => ({
        stream: event.stream,
        events: [event],
        expected: event.revision === 0 ? ('no_stream' as const) : event.revision - 1,
      }));
      await place.fill(appends.slice(0, 3));
      await Promise.all([place.fill(appends), (await open(coming)).fill(appends)]);
      expect((await all(place.ledger)).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
      await expect(
        place.fill([{ ...appends[0]!, events: [sampleStream(place.ledger.id, 'x').next()] }]),
      ).rejects.toThrow();
      expect(await place.status()).toMatchObject({ open: false });
    });

    it('takes appends of all from when it is opened, and is filled no longer', async () => {
      const place = await open(coming);
      const ledger = await writer();
      const stream = sampleStream(ledger.id);
      const first = stream.next();
      await place.fill([{ stream: stream.name, events: [first], expected: 'no_stream' }]);
      await expect(ledger.append(stream.name, [stream.next()], 0)).rejects.toMatchObject({ code: 'ledger_moved' });
      await place.open();
      await place.open();
      expect(await place.status()).toEqual({ open: true });
      const other = sampleStream(ledger.id);
      const event = other.next();
      await ledger.append(other.name, [event], 'no_stream');
      await expect(place.fill([{ stream: stream.name, events: [first], expected: 'no_stream' }])).rejects.toMatchObject(
        { code: 'ledger_busy' },
      );
    });
  });

  describe('a place that a ledger leaves', () => {
    it('refuses appends from then on, and is read as before', async () => {
      const ledger = await writer();
      const stream = sampleStream(ledger.id);
      const first = stream.next();
      const { position } = await ledger.append(stream.name, [first], 'no_stream');
      const place = await open();
      expect(await place.status()).toEqual({ open: true });
      const cut = await place.close(elsewhere);
      expect((await all(ledger)).filter((event) => cut !== undefined && event.position <= cut)).toHaveLength(1);
      expect(cut! >= position).toBe(true);
      expect(await place.close(elsewhere)).toBe(cut);
      expect(await place.status()).toEqual({ open: false, ledgerIsAt: elsewhere, cut });
      const second = stream.next();
      for (const each of [ledger, await writer()]) {
        const other = sampleStream(ledger.id);
        await expect(each.append(other.name, [other.next()], 'no_stream')).rejects.toMatchObject({
          code: 'ledger_moved',
        });
        await expect(each.append(stream.name, [second], 0)).rejects.toMatchObject({ code: 'ledger_moved' });
        expect((await all(each)).map(({ id }) => id)).toEqual([first.id]);
        expect((await all(each.readStream(stream.name))).map(({ id }) => id)).toEqual([first.id]);
        expect(await each.head()).toBe(position);
      }
    });

    it('takes appends again when it is opened', async () => {
      const ledger = await writer();
      const place = await open();
      await place.close(elsewhere);
      await place.open();
      const stream = sampleStream(ledger.id);
      expect(await ledger.append(stream.name, [stream.next()], 'no_stream')).toMatchObject({ repeated: false });
    });

    it('acknowledges nothing that stands behind the cut, however many are writing', async () => {
      const acknowledged: Appended[] = [];
      const refused: unknown[] = [];
      let written = 0;
      const writers = await Promise.all(Array.from({ length: 4 }, writer));
      const writing = writers.flatMap((ledger) =>
        Array.from({ length: 4 }, async () => {
          for (;;) {
            const stream = sampleStream(ledger.id);
            try {
              acknowledged.push(await ledger.append(stream.name, [stream.next()], 'no_stream'));
              written += 1;
            } catch (error) {
              refused.push(error);
              return;
            }
          }
        }),
      );
      await expect.poll(() => written).toBeGreaterThan(20);
      const place = await open();
      const cut = (await place.close(elsewhere))!;
      await Promise.all(writing);
      expect(refused.every((error) => isHindsightError(error, 'ledger_moved'))).toBe(true);
      expect(acknowledged.filter(({ position }) => position > cut)).toEqual([]);
      const upToCut = (await all(place.ledger)).filter(({ position }) => position <= cut);
      expect(upToCut.length).toBeGreaterThanOrEqual(acknowledged.length);
    });
  });
}

async function all(ledger: Ledger | AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const event of 'readAll' in ledger ? ledger.readAll() : ledger) found.push(event);
  return found;
}
