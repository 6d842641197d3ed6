import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadResp as ReadAnswer, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { handleServerStreamingCall, ServerWritableStream } from '@grpc/grpc-js';
import type { LoggedEvent } from './event-log.js';
import { strikes } from './faults.js';
import { type Node, noLeaderInfo, pause, refusalOf } from './node.js';

type ReadCall = ServerWritableStream<ReadReq, ReadAnswer>;

/** Reads of a stream and of all, in both directions, and subscriptions; each waits for its reader. */
export function readCall(node: Node): handleServerStreamingCall<ReadReq, ReadAnswer> {
  return async (call) => {
    const refused = refusalOf(node, call) ?? (strikes(node.faults, 'noLeader') ? noLeaderInfo() : undefined);
    if (refused) return call.emit('error', refused);
    await pause(node.faults.delay);
    const options = call.request.getOptions()!;
    if (options.hasSubscription()) return subscribe(node, call, options);
    const source = options.hasAll()
      ? allOf(node, options.getAll()!, options)
      : streamOf(node, options.getStream()!, options);
    if (!source) {
      const name = options.getStream()!.getStreamIdentifier();
      await send(
        call,
        new streams.ReadResp().setStreamNotFound(new streams.ReadResp.StreamNotFound().setStreamIdentifier(name)),
      );
      return call.end();
    }
    let left = Number(options.getCount());
    for (const event of source) {
      if (left <= 0 || call.cancelled) break;
      left -= 1;
      await deliver(node, call, event);
    }
    call.end();
  };
}

function isBackward(options: ReadReq.Options): boolean {
  return options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
}

/** Forward from a position includes what stands there, backward does not: it counts as the place after an event. */
function* allOf({ log }: Node, all: ReadReq.Options.AllOptions, options: ReadReq.Options): Generator<LoggedEvent> {
  const { events } = log;
  const position = all.hasPosition() ? BigInt(all.getPosition()!.getCommitPosition()) : undefined;
  if (isBackward(options)) {
    const end = all.hasEnd() ? events.length : position === undefined ? 0 : firstFrom(events, position);
    for (let at = end - 1; at >= 0; at -= 1) yield events[at]!;
    return;
  }
  const start = all.hasStart() ? 0 : position === undefined ? events.length : firstFrom(events, position);
  for (let at = start; at < events.length; at += 1) yield events[at]!;
}

function streamOf(
  { log }: Node,
  stream: ReadReq.Options.StreamOptions,
  options: ReadReq.Options,
): LoggedEvent[] | undefined {
  const events = log.stream(Buffer.from(stream.getStreamIdentifier()!.getStreamName_asU8()).toString('utf8'));
  if (!events) return undefined;
  const revision = stream.hasStart() ? 0 : stream.hasEnd() ? events.length - 1 : Number(stream.getRevision());
  return isBackward(options) ? events.slice(0, revision + 1).reverse() : events.slice(revision);
}

async function subscribe(node: Node, call: ReadCall, options: ReadReq.Options): Promise<void> {
  const { log, faults } = node;
  const all = options.getAll()!;
  let at = all.hasEnd() ? log.events.length : 0;
  if (all.hasPosition()) at = firstFrom(log.events, BigInt(all.getPosition()!.getCommitPosition()) + 1n);
  const wanted = filterOf(options);
  const interval = checkpointInterval(options);
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
  await send(call, new streams.ReadResp().setConfirmation(confirmation));
  let wake: () => void = () => {};
  const ended = log.onWritten(() => wake());
  call.on('cancelled', () => wake());
  let isLive = false;
  let considered = 0;
  while (!call.cancelled) {
    const event = faults.muteSubscriptions ? undefined : log.events[at];
    if (event) {
      at += 1;
      if (wanted(event)) await deliver(node, call, event);
      considered += 1;
      if (interval && considered % interval === 0) await send(call, checkpointAt(event, faults.checkpointPrepareZero));
      continue;
    }
    if (!isLive && !faults.muteSubscriptions)
      await send(call, new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
    isLive = true;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (call.cancelled || (!faults.muteSubscriptions && at < log.events.length)) resolve();
    });
  }
  ended();
  call.end();
}

function filterOf(options: ReadReq.Options): (event: LoggedEvent) => boolean {
  const filter = options.getFilter();
  if (!filter) return () => true;
  const byStream = filter.getStreamIdentifier();
  const expression = byStream ?? filter.getEventType()!;
  const prefixes = expression.getPrefixList();
  const regex = expression.getRegex() ? new RegExp(expression.getRegex()) : undefined;
  return (event) => {
    const name = byStream ? event.stream : event.type;
    return regex ? regex.test(name) : prefixes.some((prefix) => name.startsWith(prefix));
  };
}

function checkpointInterval(options: ReadReq.Options): number {
  const filter = options.getFilter();
  return filter ? Math.max(1, filter.getCheckpointintervalmultiplier()) * (filter.hasMax() ? filter.getMax() : 32) : 0;
}

function checkpointAt(event: LoggedEvent, prepareZero: boolean): ReadAnswer {
  const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition(String(event.position));
  return new streams.ReadResp().setCheckpoint(
    checkpoint.setPreparePosition(prepareZero ? '0' : String(event.position)),
  );
}

async function deliver(node: Node, call: ReadCall, event: LoggedEvent): Promise<void> {
  const { faults } = node;
  const answer = toAnswer(event);
  node.onSent();
  await send(call, answer);
  if (faults.answerTwice) await send(call, answer);
  if (faults.dropAfterEvents === undefined) return;
  faults.dropAfterEvents -= 1;
  if (faults.dropAfterEvents > 0) return;
  faults.dropAfterEvents = undefined;
  node.cut(call);
}

function toAnswer(event: LoggedEvent): ReadAnswer {
  const position = String(event.position);
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(event.stream)))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded.getMetadataMap().set('type', event.type).set('content-type', event.contentType);
  recorded.getMetadataMap().set('created', String(event.created));
  return new streams.ReadResp().setEvent(
    new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position),
  );
}

async function send(call: ReadCall, answer: ReadAnswer): Promise<void> {
  if (call.cancelled || call.write(answer)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      call.off('drain', done);
      call.off('cancelled', done);
      resolve();
    };
    call.on('drain', done);
    call.on('cancelled', done);
  });
}

/** Index of the first event at a position or after it. */
function firstFrom(events: readonly LoggedEvent[], position: bigint): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.position < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
