import type { AuditOutput } from '#contract/audit.js';
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
    async rate(input, caller) {
      note('rate', input, caller);
      return { status: 'rated', memory_id: input.memory_id, version: 2, weight: 0.1428, basis: 'b1.x' };
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
    async enrich() {
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
    async audit(input, caller) {
      note('audit', input, caller);
      return fullAudit(input.ask);
    },
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

/** With every member that a row may have, whatever is asked. */
export function fullAudit(ask: AuditOutput['ask']): AuditOutput {
  const said = { version: 1, status: 'superseded' as const, content: 'MySQL', valid_from: fullItem.valid_from };
  const reading = { title: 'True now', items: [fullItem], basis: 'b1.x', as_of: fullItem.recorded_at };
  return {
    ask,
    rows: [
      {
        memory_id: fullItem.id,
        key: 'project.database',
        version: 2,
        kind: 'semantic',
        status: 'current',
        content: 'The database is PostgreSQL 16.',
        tags: ['db'],
        change: 'revised',
        before: said,
        after: { ...said, version: 2, status: 'current', content: { engine: 'PostgreSQL' } },
        valid_from: fullItem.valid_from,
        valid_to: '2027-01-01T00:00:00.000Z',
        system_from: fullItem.system_from,
        system_to: '2026-04-01T00:00:00.000Z',
        recorded_at: fullItem.recorded_at,
        occurred_at: fullItem.valid_from,
        late_by: 90,
        principal: 'local:ada',
        agent: 'claude-code',
        tool: 'memory_write',
        origin: 'user',
        session_id: 's1',
        task_id: 't1',
        why: 'the move',
        event_id: 'e1',
        type: 'MemoryRevised',
        stream: 'hl.l0.b0.memory-1',
        position: '0000000001',
        hash: 'abc',
        recall_id: 'r1',
        shown_at: fullItem.recorded_at,
        query: 'which database?',
        shown: [{ memory_id: fullItem.id, version: 1, score: 0.5, key: 'k', content: 'MySQL', status: 'superseded' }],
      },
    ],
    ...(ask === 'belief'
      ? {
          readings: {
            true_now: { ...reading, valid_at: fullItem.recorded_at },
            true_then: { ...reading, valid_at: fullItem.valid_from },
            answered_then: { ...reading, items: [], valid_at: fullItem.valid_from },
          },
          because: ['On 2026-03-02 local:ada recorded it.'],
        }
      : {}),
    next: 'a1.next',
    basis: 'b1.x',
    from_basis: 'b1.w',
    altered_by_erasure: true,
    notes: ['altered by an erasure'],
  };
}

const fullStats: Awaited<ReturnType<QueryPort['stats']>> = {
  bank: 'b0',
  memories: { total: 3, by_kind: { semantic: { current: 2, superseded: 1 }, working: { current: 0 } } },
  recall: { count: 12, p50_ms: 1.2, p95_ms: 4.5, p99_ms: 9.1, hit_rate: 0.75 },
  projection: { lag_events: 0, set_aside: 1, generation: 1 },
  stores: { 'ledger.db': 1_572_864, 'keys.db': 512 },
  basis: 'b1.x',
};
