import { expect } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { firstRevision } from '../append-request.js';
import type { Ledger, Position, StoredEvent } from '../ledger.js';
import type { Place } from '../place.js';
import { type SampleStream, sampleStream } from '../sample-events.js';
import { verifyLedger } from '../verify-ledger.js';

/** One append: to which of the streams, how many events, and how many bytes more each has. */
export interface Step {
  readonly stream: number;
  readonly events: number;
  readonly padding: number;
}

export async function appendAll(ledger: Ledger, steps: readonly Step[]): Promise<void> {
  const streams = new Map<number, { sample: SampleStream; last: number }>();
  for (const step of steps) {
    const stream = streams.get(step.stream) ?? { sample: sampleStream(ledger.id), last: -1 };
    streams.set(step.stream, stream);
    const events = Array.from({ length: step.events }, () => stream.sample.next({ padding: step.padding }));
    await ledger.append(stream.sample.name, events, stream.last < 0 ? 'no_stream' : stream.last);
    stream.last += step.events;
  }
}

/** All of an event that must not change on the way, in the ledger's order. */
export async function dumpOf(ledger: Ledger, upTo?: Position): Promise<string[]> {
  const dump: string[] = [];
  for await (const event of ledger.readAll())
    if (upTo === undefined || event.position <= upTo) dump.push(lineOf(event));
  return dump;
}

function lineOf({ stream, revision, id, type, hash, bytes }: StoredEvent): string {
  const text = (part: Uint8Array) => Buffer.from(part).toString('base64url');
  return [stream, revision, id, type, text(hash), text(bytes)].join(' ');
}

/** Someone who goes on writing, and moves on to the next place where one is refused because the ledger has moved. */
export interface Follower {
  /** Ids of the events that were acknowledged, and where. */
  readonly acknowledged: readonly { readonly id: string; readonly by: number }[];
  /** Ends it; rejects with what it met beside refusals. */
  stop(): Promise<void>;
}

export function follower(ledgers: readonly Ledger[]): Follower {
  const acknowledged: { id: string; by: number }[] = [];
  let isOver = false;
  const writing = (async () => {
    let at = 0;
    let stream = sampleStream(ledgers[0]!.id);
    let last = -1;
    let pending = stream.next();
    while (!isOver) {
      try {
        const { revision } = await ledgers[at]!.append(stream.name, [pending], last < 0 ? 'no_stream' : last);
        acknowledged.push({ id: pending.id, by: at });
        last = firstRevision(revision) - 1;
        if (last > 5) {
          stream = sampleStream(ledgers[0]!.id);
          last = -1;
        }
        pending = stream.next();
        await new Promise((resolve) => setTimeout(resolve, 15));
      } catch (error) {
        if (!isHindsightError(error, 'ledger_moved')) throw error;
        // The next place is closed until all is there.
        at = (at + 1) % ledgers.length;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  })();
  return {
    acknowledged,
    async stop() {
      isOver = true;
      await writing;
    },
  };
}

/** That the ledger is in the target, and was wholly copied. */
export async function expectMoved(source: Place, target: Place): Promise<void> {
  const status = await source.status();
  expect(status).toMatchObject({ open: false, ledgerIsAt: target.name });
  expect(await target.status()).toEqual({ open: true });
  const left = status.open || status.cut === undefined ? [] : await dumpOf(source.ledger, status.cut);
  expect((await dumpOf(target.ledger)).slice(0, left.length)).toEqual(left);
  expect(await verifyLedger(target.ledger)).toMatchObject({ broken: [], missing: [] });
}
