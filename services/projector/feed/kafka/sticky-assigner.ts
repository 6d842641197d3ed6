import kafkajs, { type PartitionAssigner } from 'kafkajs';
import { assignSticky, type Claim } from './assign-sticky.js';

const { MemberMetadata, MemberAssignment } = kafkajs.AssignerProtocol;

/** The partitions of one topic that a member has, for the next time that the group is put together. */
export interface Held {
  /** With since when (ms). */
  readonly partitions: ReadonlyMap<number, number>;
}

/**
 * The client's own assigner deals partitions out anew by the members' random names: every joining or leaving would move most of them,
 * and a relay that only stands by would become the active one half of the time. It knows the protocol in which all members
 * give up all partitions first (eager); here they get back the same ones.
 */
export const stickyAssigner =
  (topic: string, held: () => Held): PartitionAssigner =>
  ({ cluster }) => ({
    name: 'hl-sticky',
    version: 1,
    protocol: ({ topics }) => ({
      name: 'hl-sticky',
      metadata: MemberMetadata.encode({ version: 1, topics, userData: written(held()) }),
    }),
    async assign({ members }) {
      const claims = members.map(
        ({ memberId, memberMetadata }): Claim => ({
          member: memberId,
          held: readHeld(MemberMetadata.decode(memberMetadata)?.userData),
        }),
      );
      const partitions = partitionsIn(cluster, topic);
      return [...assignSticky(claims, partitions)].map(([memberId, assigned]) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({
          version: 1,
          assignment: assigned.length ? { [topic]: assigned } : {},
          userData: Buffer.alloc(0),
        }),
      }));
    },
  });

function partitionsIn(cluster: Parameters<PartitionAssigner>[0]['cluster'], topic: string): number[] {
  return cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
}

function written({ partitions }: Held): Buffer {
  return Buffer.from(JSON.stringify([...partitions]));
}

function readHeld(userData: Buffer | undefined): Map<number, number> {
  if (!userData?.length) return new Map();
  try {
    return new Map(JSON.parse(userData.toString()) as [number, number][]);
  } catch {
    return new Map();
  }
}
