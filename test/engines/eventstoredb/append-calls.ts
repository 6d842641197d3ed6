import type { Code } from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import type {
  AppendResp as AppendAnswer,
  AppendReq,
  BatchAppendResp as BatchAnswer,
  BatchAppendReq,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type handleBidiStreamingCall, type handleClientStreamingCall, status } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Expected, Outcome, ProposedEvent } from './event-log.js';
import { strikes } from './faults.js';
import { type Node, noLeaderInfo, pause, refusal, refusalOf } from './node.js';

type Proposed = AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage;

/** How an append went: an outcome, or no answer at all because a fault was due. */
type Done = Outcome | { readonly refused: ReturnType<typeof refusal> } | 'silence';

export function appendCall(node: Node): handleClientStreamingCall<AppendReq, AppendAnswer> {
  return (call, answer) => {
    let options: AppendReq.Options | undefined;
    const events: ProposedEvent[] = [];
    call.on('data', (request: AppendReq) => {
      if (request.hasOptions()) options = request.getOptions();
      else events.push(proposed(request.getProposedMessage()!));
    });
    call.on('end', async () => {
      // A connection that is cut ends the events too, and only then is the call cancelled: half an append must not be written.
      await new Promise(setImmediate);
      if (call.cancelled) return;
      const refused = refusalOf(node, call);
      if (refused) return answer(refused);
      const expected = expectedBy(options!, () => options!.getRevision());
      const done = await append(node, call, nameOf(options!.getStreamIdentifier()!), events, expected);
      if (done === 'silence') return;
      if ('refused' in done) answer(done.refused);
      else answer(null, toAnswer(done, expected));
    });
  };
}

export function batchAppendCall(node: Node): handleBidiStreamingCall<BatchAppendReq, BatchAnswer> {
  return (call) => {
    const open = new Map<string, { options: BatchAppendReq.Options; events: ProposedEvent[] }>();
    call.on('data', async (request: BatchAppendReq) => {
      const refused = refusalOf(node, call);
      if (refused) return call.destroy(Object.assign(new Error(refused.details), refused));
      const correlation = request.getCorrelationId()!.getString();
      const batch = open.get(correlation) ?? { options: request.getOptions()!, events: [] };
      open.set(correlation, batch);
      for (const message of request.getProposedMessagesList()) batch.events.push(proposed(message));
      if (!request.getIsFinal()) return;
      open.delete(correlation);
      const identifier = batch.options.getStreamIdentifier()!;
      const expected = expectedBy(batch.options, () => batch.options.getStreamPosition());
      const done = await append(node, call, nameOf(identifier), batch.events, expected);
      if (done === 'silence') return;
      const response = toBatchAnswer(done, expected)
        .setCorrelationId(request.getCorrelationId())
        .setStreamIdentifier(identifier);
      call.write(response);
      if (node.faults.answerTwice) call.write(response);
    });
    call.on('end', () => call.end());
  };
}

async function append(
  node: Node,
  call: { getPeer(): string },
  stream: string,
  events: readonly ProposedEvent[],
  expected: Expected,
): Promise<Done> {
  const { faults, log } = node;
  await pause(faults.delay);
  if (strikes(faults, 'noLeader')) return { refused: noLeaderInfo() };
  const size = events.reduce(
    (sum, event) => sum + event.data.length + event.metadata.length + 2 * event.type.length,
    0,
  );
  if (size > faults.maxAppendSize) {
    const details = `Maximum Append Size of ${faults.maxAppendSize} Exceeded.`;
    const trailers = { exception: 'maximum-append-size-exceeded', 'maximum-append-size': String(faults.maxAppendSize) };
    return { refused: refusal(status.INVALID_ARGUMENT, details, trailers) };
  }
  if (strikes(faults, 'wrongExpected')) return { wrong: true, current: (log.stream(stream)?.length ?? 0) - 1 };
  if (strikes(faults, 'dropBeforeAppend')) {
    node.cut(call);
    return 'silence';
  }
  const outcome = await log.append(stream, events, expected);
  if (strikes(faults, 'loseAnswer')) return 'silence';
  if (!strikes(faults, 'dropAfterAppend')) return outcome;
  node.cut(call);
  return 'silence';
}

function toAnswer(outcome: Outcome, expected: Expected): AppendAnswer {
  const answer = new streams.AppendResp();
  if (outcome.wrong) {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (outcome.current < 0) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(outcome.current));
    if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty());
    else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new shared.Empty());
    else if (expected === 'any') wrong.setExpectedAny(new shared.Empty());
    else wrong.setExpectedRevision(String(expected));
    return answer.setWrongExpectedVersion(wrong);
  }
  const success = new streams.AppendResp.Success();
  if (!outcome.last)
    return answer.setSuccess(success.setNoStream(new shared.Empty()).setNoPosition(new shared.Empty()));
  const position = String(outcome.last.position);
  success.setCurrentRevision(String(outcome.last.revision));
  success.setPosition(new streams.AppendResp.Position().setCommitPosition(position).setPreparePosition(position));
  return answer.setSuccess(success);
}

function toBatchAnswer(done: Exclude<Done, 'silence'>, expected: Expected): BatchAnswer {
  const answer = new streams.BatchAppendResp();
  if ('refused' in done) {
    const { details } = done.refused;
    const code = done.refused.code as number as Code;
    return answer.setError(new statusMessages.Status().setCode(code).setMessage(details));
  }
  if (done.wrong) {
    const wrong = new shared.WrongExpectedVersion();
    if (done.current < 0) wrong.setCurrentNoStream(new empty.Empty());
    else wrong.setCurrentStreamRevision(String(done.current));
    if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected));
    else if (expected === 'no_stream') wrong.setExpectedNoStream(new empty.Empty());
    else wrong.setExpectedStreamExists(new empty.Empty());
    const details = new any.Any();
    details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion');
    const error = new statusMessages.Status()
      .setCode(status.FAILED_PRECONDITION as number as Code)
      .setMessage('WrongExpectedVersion');
    return answer.setError(error.setDetails(details));
  }
  const success = new streams.BatchAppendResp.Success();
  if (!done.last) return answer.setSuccess(success.setNoStream(new empty.Empty()).setNoPosition(new empty.Empty()));
  const position = String(done.last.position);
  success.setCurrentRevision(String(done.last.revision));
  success.setPosition(new shared.AllStreamPosition().setCommitPosition(position).setPreparePosition(position));
  return answer.setSuccess(success);
}

interface ExpectedOptions {
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}

function expectedBy(options: ExpectedOptions, revision: () => string): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : Number(revision());
}

function proposed(message: Proposed): ProposedEvent {
  return {
    id: message.getId()!.getString(),
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

function nameOf(identifier: { getStreamName_asU8(): Uint8Array }): string {
  return Buffer.from(identifier.getStreamName_asU8()).toString('utf8');
}
