/**
 * What a ledger has in Kafka: its topics, the names that belong to it, and who may do what with them. The relay makes the topics when it
 * starts, `hindsight-ledger doctor --fix` makes what is missing, and README.md beside this file says why the figures are what they are.
 */

export interface TopicDefinition {
  readonly name: string;
  readonly partitions: number;
  readonly config: Readonly<Record<string, string>>;
}

/** Everything that belongs to a ledger starts so: one rule of access covers it. */
export const prefixOf = (ledger: string) => `hl.${ledger}.`;

export const eventsTopic = (ledger: string) => `${prefixOf(ledger)}events`;
export const deadLettersTopic = (ledger: string) => `${prefixOf(ledger)}dead-letters`;
/** Holds nothing: its one partition belongs to the relay that is active. */
export const relayTopic = (ledger: string) => `${prefixOf(ledger)}relay`;

/** The relays' group, and their transactional id: what makes an older one's transactions fail. */
export const relayName = relayTopic;
/** @param projection with its generation: `memories.g1` */
export const projectionGroup = (ledger: string, projection: string) => `${prefixOf(ledger)}${projection}`;

const day = 24 * 60 * 60 * 1000;

/**
 * Above the largest append (768 KiB of events, with 64 bytes each) and its headers. It is Kafka's own default, said here so that a broker
 * with another one does not refuse an event that the ledger took.
 */
export const maxMessageBytes = 1_048_588;

/** @param partitions of the events; a bank's events are in one of them. Never to be changed for a ledger: README.md, "More partitions". */
export function feedTopics(ledger: string, partitions: number): readonly TopicDefinition[] {
  return [
    {
      name: eventsTopic(ledger),
      partitions,
      config: {
        'cleanup.policy': 'delete',
        // Whoever was away for longer reads what is missing from the ledger.
        'retention.ms': String(7 * day),
        'segment.bytes': String(256 * 1024 * 1024),
        'max.message.bytes': String(maxMessageBytes),
        // Most of an event is a sealed box, which no compression makes smaller.
        'compression.type': 'producer',
        // A copy of the ledger that lost its tail is repaired from the ledger; one that went on from an older state would have to be found first.
        'unclean.leader.election.enable': 'false',
      },
    },
    {
      name: deadLettersTopic(ledger),
      partitions: 1,
      config: {
        // The last word on each event and projection, for as long as someone may want to look into it; what is set aside now is in the views.
        'cleanup.policy': 'compact,delete',
        'retention.ms': String(90 * day),
        'max.message.bytes': String(maxMessageBytes),
      },
    },
    { name: relayTopic(ledger), partitions: 1, config: { 'cleanup.policy': 'delete', 'retention.ms': String(day) } },
  ];
}

export interface AccessRule {
  readonly role: 'relay' | 'projector';
  readonly resource: 'topic' | 'group' | 'transactional-id';
  readonly name: string;
  readonly isPrefix: boolean;
  readonly operations: readonly string[];
}

/** What the two services need and no more, as `kafka-acls` names it. Query and ingest do not speak to Kafka. */
export function feedAccess(ledger: string): readonly AccessRule[] {
  const rule = (
    role: AccessRule['role'],
    resource: AccessRule['resource'],
    name: string,
    operations: readonly string[],
    isPrefix = false,
  ): AccessRule => ({ role, resource, name, isPrefix, operations });
  return [
    // Read: the relay finds its last watermark at the ends of the partitions. Delete: of what an older copy of the ledger does not hold.
    rule('relay', 'topic', eventsTopic(ledger), ['Create', 'Describe', 'Read', 'Write', 'Delete']),
    rule('relay', 'topic', deadLettersTopic(ledger), ['Create', 'Describe']),
    rule('relay', 'topic', relayTopic(ledger), ['Create', 'Describe', 'Read']),
    rule('relay', 'group', relayName(ledger), ['Describe', 'Read', 'Delete'], true),
    rule('relay', 'transactional-id', relayName(ledger), ['Describe', 'Write']),
    rule('projector', 'topic', eventsTopic(ledger), ['Describe', 'Read']),
    rule('projector', 'topic', deadLettersTopic(ledger), ['Describe', 'Write']),
    rule('projector', 'group', prefixOf(ledger), ['Describe', 'Read'], true),
  ];
}
