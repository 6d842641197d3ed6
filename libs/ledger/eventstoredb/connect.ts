import { EventStoreDBClient } from '@eventstore/db-client';
import { HindsightError } from '#contract/errors.js';

export interface Connection {
  readonly client: EventStoreDBClient;
  close(): Promise<void>;
}

/** What the client knows, written as it compares them: lower case, without `_` and `-`. */
const knownOptions = [
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'keepaliveinterval',
  'keepalivetimeout',
  'maxdiscoverattempts',
  'nodepreference',
  'throwonappendfailure',
  'tls',
  'tlscafile',
  'tlsverifycert',
  'usercertfile',
  'userkeyfile',
];

const form = 'esdb://user:password@host:2113?tls=true, or esdb+discover:// for a cluster';

/**
 * The official client, with its faults of connecting contained (docs/decisions/0011). Connects at the first call.
 * @throws HindsightError invalid_config; its sentence never holds the connection string or a part of it
 */
export function connect(connectionString: string): Connection {
  checkOptions(connectionString);
  const client = contained(parsed(connectionString));
  return {
    client,
    async close() {
      await client.dispose();
      closeChannels(client);
    },
  };
}

/** The client would print a connection string with an option that it does not know, password and all. */
function checkOptions(connectionString: string): void {
  const [, query = ''] = /^[^:]+:\/\/(?:[^:]+:[^@]+@)?[^?]*\??(.*)$/.exec(connectionString.trim()) ?? [];
  for (const option of query.split('&').filter(Boolean)) {
    const [key = '', value = ''] = option.split('=');
    const flat = key.trim().toLowerCase().replace(/[_-]/g, '');
    if (!knownOptions.includes(flat)) {
      throw new HindsightError(
        'invalid_config',
        `The connection string of EventStoreDB has an option that is not known; known are ${knownOptions.join(', ')}.`,
      );
    }
    if (flat === 'tlsverifycert' && value.trim() === 'false') {
      throw new HindsightError(
        'invalid_config',
        'The connection string of EventStoreDB says tlsVerifyCert=false, which the client cannot do. Give the certificate authority with tlsCAFile.',
      );
    }
  }
}

function parsed(connectionString: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(connectionString);
  } catch (error) {
    // The client's own error quotes what it could not read, which may be the password, and carries the whole string.
    const isOwn = error instanceof Error && 'connectionString' in error;
    const reason = isOwn || !(error instanceof Error) ? 'It cannot be read.' : error.message;
    throw new HindsightError(
      'invalid_config',
      `The connection string of EventStoreDB is not accepted: ${reason} Its form is ${form}.`,
    );
  }
}

/** The parts of the client that are replaced below; its types hide them. */
interface Inside {
  handleError(call: unknown, error: Error): Promise<void>;
  createChannel(): Promise<{ close(): void }>;
}

const channels = new WeakMap<EventStoreDBClient, Set<{ close(): void }>>();

function contained(client: EventStoreDBClient): EventStoreDBClient {
  const inside = client as unknown as Inside;
  const { handleError, createChannel } = inside;
  const opened = new Set<{ close(): void }>();
  channels.set(client, opened);
  Object.assign(inside, {
    // Of several batch appends in flight one failure rejects all, and they have no deadline: so there are none.
    supports: () => Promise.resolve(false),
    // It closes the channel, on which a call that was just being started then throws where nobody can catch it: so it waits until
    // those are started. And nobody waits for it: when the next channel cannot be made either, that would end the process.
    async handleError(call: unknown, error: Error) {
      setImmediate(() => handleError(call, error).catch(() => {}));
    },
    async createChannel() {
      const channel = await createChannel();
      for (const former of opened) opened.delete(former);
      opened.add(channel);
      return channel;
    },
  });
  return client;
}

/** The client's own dispose leaves its channel open. */
function closeChannels(client: EventStoreDBClient): void {
  for (const channel of channels.get(client) ?? []) channel.close();
}
