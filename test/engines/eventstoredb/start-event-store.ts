import { createServer, type Socket, type Server as TcpServer } from 'node:net';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { appendCall, batchAppendCall } from './append-calls.js';
import { openEventLog } from './event-log.js';
import { type Faults, noFaults } from './faults.js';
import type { Node } from './node.js';
import { readCall } from './read-calls.js';

export interface EventStoreOptions {
  /** Where its data lies, and still lies after a restart. */
  readonly folder: string;
  /** Any free one by default; a restart keeps it. */
  readonly port?: number;
  readonly faults?: Partial<Faults>;
  /** So many nodes with the same data, of which the first leads; 1 by default. */
  readonly nodes?: number;
  /** PEM; without it connections are plain, as with the real server's --insecure. */
  readonly tls?: { readonly key: string; readonly certificate: string };
  /** Calls need this user; only sent by the client with TLS. */
  readonly user?: { readonly name: string; readonly password: string };
}

export interface TestEventStore {
  /** Without user, password and certificate. */
  readonly connectionString: string;
  readonly ports: readonly number[];
  setFault(faults: Partial<Faults>): void;
  /** Events sent to readers and subscribers so far. */
  sentEvents(): number;
  /** Lets another node lead. */
  lead(node: number): void;
  /** Cuts all connections. */
  cutConnections(): void;
  /** Ends and starts again on the same ports and data; what was not on disk is gone. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const host = '127.0.0.1';
// The client offers batches where they are named here.
const methods = ['read', 'append', 'batchappend'];

/**
 * For tests only, and no database: a server that speaks as much of EventStoreDB's protocol as the official client needs for appends,
 * reads, subscriptions and discovery, and can be told to fail (faults.ts). It holds everything in memory, checks no ACL, deletes and
 * scavenges nothing, and its nodes share one file instead of replicating. What it does like the real one is what the ledger's adapter
 * depends on; docs/decisions/0011 says how to run the same tests against a real one.
 */
export async function startEventStore(options: EventStoreOptions): Promise<TestEventStore> {
  const faults: Faults = { ...noFaults(), ...options.faults };
  let ports = Array.from({ length: options.nodes ?? 1 }, (_, index) => (index === 0 ? (options.port ?? 0) : 0));
  let leader = 0;
  let sent = 0;
  let log = await openEventLog(options.folder);
  let listening: Listening[] = [];

  async function listen(): Promise<void> {
    listening = [];
    for (const [index, port] of ports.entries()) listening.push(await listenAs(index, port));
    ports = listening.map((each) => each.port);
  }

  function listenAs(index: number, port: number): Promise<Listening> {
    const node = {
      log,
      faults,
      onSent() {
        sent += 1;
      },
      leaderElsewhere: () => (leader === index ? undefined : { host, port: ports[leader]! }),
      ...(options.user && { user: options.user }),
    };
    return startNode(node, () => clusterInfo(ports, leader), port, options.tls);
  }

  async function end(): Promise<void> {
    await Promise.all(listening.map((each) => each.stop()));
    await log.close();
  }

  await listen();
  return {
    connectionString:
      ports.length === 1
        ? `esdb://${host}:${ports[0]}?tls=${options.tls !== undefined}`
        : `esdb+discover://${host}:${ports[0]}?tls=${options.tls !== undefined}`,
    ports,
    setFault: (changes) => Object.assign(faults, changes),
    sentEvents: () => sent,
    lead(node) {
      leader = node;
    },
    cutConnections() {
      for (const each of listening) each.cutAll();
    },
    async restart() {
      await end();
      log = await openEventLog(options.folder);
      await listen();
    },
    stop: end,
  };
}

interface Listening {
  readonly port: number;
  cutAll(): void;
  stop(): Promise<void>;
}

/** Sockets are accepted here and handed on, so that a fault can cut the one that a call came by. */
async function startNode(
  node: Omit<Node, 'cut'>,
  cluster: () => InstanceType<typeof gossip.ClusterInfo>,
  port: number,
  tls: EventStoreOptions['tls'],
): Promise<Listening> {
  const sockets = new Map<number | undefined, Socket>();
  const cut = (call: { getPeer(): string }) => sockets.get(Number(call.getPeer().split(':').at(-1)))?.destroy();
  const served: Node = { ...node, cut };
  const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  server.addService(streamsService.StreamsService, {
    read: readCall(served),
    append: appendCall(served),
    batchAppend: batchAppendCall(served),
  });
  server.addService(featuresService.ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, answer: (error: null, methods: unknown) => void) => answer(null, supported()),
  });
  server.addService(gossipService.GossipService, {
    read: (_call: unknown, answer: (error: null, info: unknown) => void) => answer(null, cluster()),
  });
  const credentials = tls
    ? ServerCredentials.createSsl(null, [
        { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.certificate) },
      ])
    : ServerCredentials.createInsecure();
  const injector = server.createConnectionInjector(credentials);
  const tcp = createServer((socket) => {
    sockets.set(socket.remotePort, socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket.remotePort));
    injector.injectConnection(socket);
  });
  await listenOn(tcp, port);
  const cutAll = () => {
    for (const socket of sockets.values()) socket.destroy();
  };
  return {
    port: (tcp.address() as { port: number }).port,
    cutAll,
    async stop() {
      const closed = new Promise((resolve) => tcp.close(resolve));
      cutAll();
      injector.destroy();
      server.forceShutdown();
      await closed;
    },
  };
}

function listenOn(server: TcpServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function supported(): InstanceType<typeof features.SupportedMethods> {
  const answer = new features.SupportedMethods().setEventStoreServerVersion('23.10.0-test');
  for (const method of methods) {
    const service = 'event_store.client.streams.streams';
    answer.addMethods(new features.SupportedMethod().setServiceName(service).setMethodName(method));
  }
  return answer;
}

function clusterInfo(ports: readonly number[], leader: number): InstanceType<typeof gossip.ClusterInfo> {
  const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
  const members = ports.map((port, index) =>
    new gossip.MemberInfo()
      .setInstanceId(new shared.UUID().setString(`00000000-0000-4000-8000-00000000000${index}`))
      .setTimeStamp(String(Date.now()))
      .setState(index === leader ? LEADER : FOLLOWER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port)),
  );
  return new gossip.ClusterInfo().setMembersList(members);
}
