import { expect, it } from 'vitest';
import { certificateText } from './certificate.js';
import type { Order } from './order.js';

const order: Order = {
  bank: 'b1',
  erasureId: 'e1',
  memories: ['m2', 'm1'],
  versions: new Map(),
  subjects: ['s1'],
  fingerprints: true,
  ofBank: false,
  by: { principal: 'local:ada', agent: 'spec', tool: 'erase' },
  orderedAt: '2026-05-03T10:00:00.000Z',
  position: 'p1',
  secrets: ['k.1'],
  names: ['Grace Hopper'],
};
const certified = {
  ledger: 'l1',
  order,
  memories: ['m2', 'm1'],
  recalls: 3,
  positions: { first: 'p2', last: 'p3' },
  epoch: 2,
  check: { events: 4, rows: 2 },
  completedAt: '2026-05-03T10:00:01.000Z',
};

it('names what was left', () => {
  const { what } = JSON.parse(certificateText({ ...certified, memories: ['m1'], left: ['m2'] }));
  expect(what).toMatchObject({ memories: 1, left: ['m2'] });
});

it('is canonical, the same whatever the order of the memories, and names nobody', () => {
  const text = certificateText(certified);
  expect(text).toBe(certificateText({ ...certified, memories: ['m1', 'm2'] }));
  expect(text).not.toContain('Grace');
  expect(JSON.parse(text)).toEqual({
    format: 'hindsight-ledger/erasure/1',
    ledger: 'l1',
    bank: 'b1',
    erasure: 'e1',
    ordered: {
      at: '2026-05-03T10:00:00.000Z',
      by: { principal: 'local:ada', agent: 'spec', tool: 'erase' },
      position: 'p1',
    },
    what: {
      memories: 2,
      // printf 'm1\nm2' | sha256sum
      memories_sha256: 'b82a5b7a3e0f601f81efe9e950affdb47c5e2379fd736be291bcee83a9f6a2ff',
      subjects: ['s1'],
      reads: 3,
    },
    positions: { first: 'p2', last: 'p3' },
    epoch: 2,
    check: { events_tried: 4, events_opened: 0, rows_looked_at: 2, rows_left: 0 },
    completed_at: '2026-05-03T10:00:01.000Z',
  });
});
