import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandPort } from '#contract/command-port.js';
import { isHindsightError } from '#contract/errors.js';
import type { Sources } from '#contract/sources.js';
import { type CallDeps, ingestCalls } from './call-ingest.js';
import { commandConnection } from './command-connection.js';
import { recallQueue } from './recall-queue.js';

export interface RemoteCommandsOptions {
  /** Ingest services as host:port. */
  readonly addresses: readonly string[];
  /** The vault's service key. */
  readonly serviceKey: () => Promise<Uint8Array>;
  readonly sources: Pick<Sources, 'now' | 'uuid'>;
  readonly log: CallDeps['log'];
  /** Milliseconds of one try; 10,000 by default. */
  readonly attemptMs?: number;
  /** Milliseconds of all tries; 30,000 by default. */
  readonly callMs?: number;
}

export interface RemoteCommands extends CommandPort {
  /** Whether any ingest service answers. @throws HindsightError unreachable · service_refused */
  ping(): Promise<void>;
  /** Recalls that could not be put on record since the start. */
  lostRecalls(): number;
  /** Hands over what is to be put on record, as far as that is possible at once, and closes the connections. */
  close(): Promise<void>;
}

/** Milliseconds that recalls get to be handed over when the service stops. */
const closeWithinMs = 3_000;
/** Milliseconds that readiness waits for an answer. */
const pingMs = 2_000;

/** The command port of other processes. Errors of commands are theirs; see `ingestCalls` for those of the way there. */
export function remoteCommands(options: RemoteCommandsOptions): RemoteCommands {
  const { addresses, serviceKey, sources, log, attemptMs = 10_000, callMs = 30_000 } = options;
  const connections = addresses.map(commandConnection);
  const deps = { connections, key: serviceKey, ...sources, random: Math.random, log };
  const call = ingestCalls({ ...deps, attemptMs, callMs });
  const brief = ingestCalls({ ...deps, attemptMs: pingMs, callMs: pingMs });
  let closing = false;
  const queue = recallQueue(
    async (recalls) => {
      await (closing ? brief : call)({ method: 'recordRecalls', input: { durable: false, recalls } });
    },
    (error, held) => log.warn({ held, error: codeOf(error) }, 'recalls were not recorded; trying again'),
  );
  return {
    write: (input, caller) => call({ method: 'write', input, caller }),
    importItems: (items, caller) => call({ method: 'importItems', input: items, caller }),
    forget: (input, caller) => call({ method: 'forget', input, caller }),
    restore: (input, caller) => call({ method: 'restore', input, caller }),
    review: (input, caller) => call({ method: 'review', input, caller }),
    rate: (input, caller) => call({ method: 'rate', input, caller }),
    enrich: (input, caller) => call({ method: 'enrich', input, caller }),
    erase: (input, caller) => call({ method: 'erase', input, caller }),
    eraseBank: (input, caller) => call({ method: 'eraseBank', input, caller }),
    alias: (input, caller) => call({ method: 'alias', input, caller }),
    async recordRecall(recall, caller, durable) {
      if (!durable) return queue.add({ recall, caller });
      await call({ method: 'recordRecalls', input: { durable, recalls: [{ recall, caller }] } });
    },
    async recordAudit(read, caller) {
      await call({ method: 'recordAudit', input: read, caller });
    },
    bankNamed: (name, ifMissing = 'make') => call({ method: 'bankNamed', input: { name, ifMissing } }),
    flush: queue.flush,
    async ping() {
      await brief({ method: 'ping' });
    },
    lostRecalls: queue.lost,
    async close() {
      closing = true;
      await Promise.race([queue.close(), sleep(closeWithinMs, undefined, { ref: false })]);
      for (const connection of connections) connection.close();
    },
  };
}

function codeOf(error: unknown): string {
  return isHindsightError(error) ? error.code : error instanceof Error ? error.name : 'unknown';
}
