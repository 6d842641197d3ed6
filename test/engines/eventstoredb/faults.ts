/** What the test server is told to do wrong. Counts go down by one each time; everything else stays until it is set back. */
export interface Faults {
  /** So many appends: the connection is cut before anything is written. */
  dropBeforeAppend: number;
  /** So many appends: written, then the connection is cut instead of an answer. */
  dropAfterAppend: number;
  /** So many appends: written, and then no answer comes, while the connection stays. */
  loseAnswer: number;
  /** So many appends are refused as if the stream were elsewhere, with the revision at which it really is. */
  wrongExpected: number;
  /** So many appends and reads are refused as by a server that cannot say which node leads. */
  noLeader: number;
  /** Milliseconds before each append and read is begun. */
  delay: number;
  /** Every event of a read or a subscription, and every answer to a batch, is sent twice. */
  answerTwice: boolean;
  /** The connection is cut after so many events more were sent by reads or subscriptions. */
  dropAfterEvents: number | undefined;
  /** Subscriptions are confirmed and then nothing is sent, while the connection stays. */
  muteSubscriptions: boolean;
  /** Checkpoints of filtered subscriptions come with prepare 0, as one version of the real server sent them. */
  checkpointPrepareZero: boolean;
  /** Bytes counted over a whole append: data, metadata and the type's name in UTF-16. */
  maxAppendSize: number;
}

export function noFaults(): Faults {
  return {
    dropBeforeAppend: 0,
    dropAfterAppend: 0,
    loseAnswer: 0,
    wrongExpected: 0,
    noLeader: 0,
    delay: 0,
    answerTwice: false,
    dropAfterEvents: undefined,
    muteSubscriptions: false,
    checkpointPrepareZero: false,
    maxAppendSize: 1024 * 1024,
  };
}

type Counted = 'dropBeforeAppend' | 'dropAfterAppend' | 'loseAnswer' | 'wrongExpected' | 'noLeader';

/** Whether the fault is due now; takes one off its count. */
export function strikes(faults: Faults, fault: Counted): boolean {
  if (faults[fault] <= 0) return false;
  faults[fault] -= 1;
  return true;
}
