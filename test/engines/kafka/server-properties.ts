export interface KafkaPlace {
  readonly data: string;
  readonly port: number;
  readonly controllerPort: number;
  /** Where clients are told to connect; the broker's own port, unless a proxy stands before it. */
  readonly advertisedPort: number;
}

/** One broker that is its own controller, and answers and rejoins as fast as it can. */
export function serverProperties(place: KafkaPlace): string {
  const lines = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${place.controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${place.port},CONTROLLER://127.0.0.1:${place.controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${place.advertisedPort}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': place.data,
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.num.partitions': 4,
    'group.initial.rebalance.delay.ms': 0,
    // Who was killed is missed after a second where a test asks for it, rather than after six.
    'group.min.session.timeout.ms': 500,
    // Otherwise a restart after SIGKILL waits 10 s until the broker's own former session has ended.
    'broker.session.timeout.ms': 2_000,
    'broker.heartbeat.interval.ms': 500,
    'auto.create.topics.enable': false,
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
