import { Kafka, logLevel, type RetryOptions } from 'kafkajs';
import { HindsightError } from '#contract/errors.js';

/** What the feed logs: names and numbers, never content. A pino logger is one. */
export interface FeedLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * A try of the client's own takes about six seconds before it gives up; how long an outage may last is decided outside of it, where
 * a new client is made: one that has given up, or was caught in a commit, is not of use again.
 */
export const someTries: RetryOptions = { initialRetryTime: 50, maxRetryTime: 1000, retries: 8 };

/** @param brokers host:port */
export function kafkaClient(brokers: readonly string[], clientId: string): Kafka {
  return new Kafka({
    clientId,
    brokers: [...brokers],
    connectionTimeout: 3000,
    requestTimeout: 15_000,
    retry: someTries,
    // It logs each try of each call. What matters of it is told by whoever made the call.
    logLevel: logLevel.NOTHING,
    logCreator: () => () => {},
  });
}

/** The protocol's name of an error (`INVALID_PRODUCER_EPOCH`), which the client wraps once or twice; '' when it has none. */
export function protocolError(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('type' in each && typeof each.type === 'string') return each.type;
  }
  return '';
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What no waiting mends: the setting, or the rights. */
const lasting: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: 'may not use the topic',
  GROUP_AUTHORIZATION_FAILED: 'may not use the consumer group',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'may not use the transactional id',
  CLUSTER_AUTHORIZATION_FAILED: 'may not do this',
  SASL_AUTHENTICATION_FAILED: 'was not let in',
  INVALID_SESSION_TIMEOUT: "asks for a session timeout outside of the broker's group.min/max.session.timeout.ms",
};

/** @returns an error for the operator where only an operator can mend it */
export function lastingTrouble(error: unknown, what: string): HindsightError | undefined {
  if (error instanceof HindsightError) return error.code === 'unreachable' ? undefined : error;
  const type = protocolError(error);
  const meaning = lasting[type];
  if (meaning === undefined) return undefined;
  const sentence = `${what} ${meaning} (Kafka: ${type}). infra/kafka/README.md lists what each service needs.`;
  return new HindsightError('invalid_config', sentence, { type }, { cause: error });
}

/** Tells the same trouble once, until it is over. */
export function complaints(
  log: FeedLog,
  fields: object,
): { tell(error: unknown, message: string): void; over(message: string): void } {
  let told: string | undefined;
  return {
    tell(error, message) {
      const reason = reasonOf(error);
      if (told === reason) return;
      told = reason;
      log.warn({ ...fields, error: reason }, message);
    },
    over(message) {
      if (told === undefined) return;
      told = undefined;
      log.info(fields, message);
    },
  };
}
