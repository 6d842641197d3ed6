import type { Caller } from '#contract/caller.js';
import type { CommandPort } from '#contract/command-port.js';
import type { MemoryItem } from '#contract/memory-item.js';
import type { QueryPort } from '#contract/query-port.js';

/** A memory with every field that an answer can have. */
export const fullItem: MemoryItem = {
  id: '01985f00-0000-7000-8000-000000000001',
  version: 2,
  kind: 'semantic',
  content: 'The database is PostgreSQL 16.',
  status: 'current',
  key: 'project.database',
  tags: ['infra', 'db'],
  metadata: { ticket: 'HL-3' },
  subjects: ['Ada'],
  source: {
    principal: 'local:ada',
    agent: 'claude-code',
    origin: 'user',
    session_id: 's1',
    task_id: 't1',
    step: '3',
    tool: 'memory_write',
    external_id: 'x1',
  },
  importance: 0.5,
  confidence: 1,
  trust: 1,
  recorded_at: '2026-03-02T09:00:00.000Z',
  occurred_at: '2026-03-01T00:00:00.000Z',
  valid_from: '2026-03-01T00:00:00.000Z',
  valid_to: '2027-01-01T00:00:00.000Z',
  system_from: '2026-03-02T09:00:00.000Z',
  system_to: '2026-04-01T00:00:00.000Z',
  derived_from: ['01985f00-0000-7000-8000-000000000000'],
  score: 0.8312,
  explain: { legs: { keyword: { rank: 1, score: 3.2 } }, matched: ['database'] },
};

export interface Call {
  readonly verb: string;
  readonly input: unknown;
  readonly caller: Caller | undefined;
}

export interface FakePorts {
  readonly commands: CommandPort;
  readonly queries: QueryPort;
  readonly calls: Call[];
}

/** Ports that note what they were called with and answer with fixed, full answers; single verbs may be replaced. */
export function fakePorts(instead: { commands?: Partial<CommandPort>; queries?: Partial<QueryPort> } = {}): FakePorts {
  const calls: Call[] = [];
  const note = (verb: string, input: unknown, caller?: Caller) => void calls.push({ verb, input, caller });
  const commands: CommandPort = {
    async write(input, caller) {
      note('write', input, caller);
      const stored = { memory_id: fullItem.id, version: 2, status: 'stored' as const, superseded: 1 };
      return input.items
        ? { status: 'stored', items: input.items.map(() => stored), basis: 'b1.x' }
        : { ...stored, basis: 'b1.x' };
    },
    async importItems() {
      throw new Error('not a tool');
    },
    async forget(input, caller) {
      note('forget', input, caller);
      if (input.filter && !input.confirm)
        return {
          status: 'dry_run',
          forgotten: [],
          would_forget: [{ memory_id: fullItem.id, version: 2, preview: 'The database is …' }],
          total: 1,
          confirm: 'c1.token',
          basis: 'b1.x',
        };
      return { status: 'forgotten', forgotten: [fullItem.id], basis: 'b1.x' };
    },
    async restore(input, caller) {
      note('restore', input, caller);
      return { status: 'restored', memory_id: input.memory_id, version: 2, basis: 'b1.x' };
    },
    async review() {
      throw new Error('not a tool');
    },
    async erase(input, caller) {
      note('erase', input, caller);
      return {
        status: 'erased',
        forgotten: [fullItem.id],
        total: 1,
        erasure: { id: 'e1', recalls: 2, certificate: { text: '{}', signature: 's', public_key: 'k' } },
        basis: 'b1.x',
      };
    },
    async eraseBank() {
      throw new Error('not a tool');
    },
    async alias() {
      throw new Error('not a tool');
    },
    async recordRecall() {},
    recordAudit: async (read, caller) => note('recordAudit', read, caller),
    bankNamed: async (name) => `b${name}`,
    flush: async () => note('flush', undefined),
    ...instead.commands,
  };
  const queries: QueryPort = {
    async search(input, caller) {
      note('search', input, caller);
      return { items: [fullItem], basis: 'b1.x', recall_id: 'r1', notes: ['altered by an erasure'] };
    },
    async history(input, caller) {
      note('history', input, caller);
      return fullHistory;
    },
    async item(memoryId, caller) {
      note('item', memoryId, caller);
      return { ...fullItem, id: memoryId, basis: 'b1.x' };
    },
    matching: async () => [],
    async stats(caller) {
      note('stats', undefined, caller);
      return fullStats;
    },
    ...instead.queries,
  };
  return { commands, queries, calls };
}

const fullHistory: Awaited<ReturnType<QueryPort['history']>> = {
  memory_id: fullItem.id,
  key: 'project.database',
  status: 'current',
  entries: [
    {
      event: 'recorded',
      version: 1,
      kind: 'semantic',
      origin: 'user',
      content: 'The database is MySQL 8.0.',
      tags: ['db'],
      metadata: { ticket: 'HL-1' },
      status: 'superseded',
      recorded_at: '2026-01-05T10:30:00.000Z',
      occurred_at: '2026-01-05T10:30:00.000Z',
      valid: [{ from: '2026-01-05T10:30:00.000Z', to: '2026-03-01T00:00:00.000Z' }],
      system_from: '2026-01-05T10:30:00.000Z',
      system_to: '2026-03-02T09:00:00.000Z',
      who: { principal: 'local:ada', agent: 'claude-code', tool: 'memory_write' },
      why: 'the first setup',
    },
    {
      event: 'revised',
      version: 2,
      content: { database: 'PostgreSQL', version: 16 },
      recorded_at: '2026-03-02T09:00:00.000Z',
      valid: [{ from: '2026-03-01T00:00:00.000Z' }],
      system_from: '2026-03-02T09:00:00.000Z',
      who: { principal: 'local:ada' },
      changed: ['content', 'metadata'],
    },
  ],
  basis: 'b1.x',
};

const fullStats: Awaited<ReturnType<QueryPort['stats']>> = {
  bank: 'b0',
  memories: { total: 3, by_kind: { semantic: { current: 2, superseded: 1 }, working: { current: 0 } } },
  recall: { count: 12, p50_ms: 1.2, p95_ms: 4.5, p99_ms: 9.1, hit_rate: 0.75 },
  projection: { lag_events: 0, set_aside: 1, generation: 1 },
  stores: { 'ledger.db': 1_572_864, 'keys.db': 512 },
  basis: 'b1.x',
};
