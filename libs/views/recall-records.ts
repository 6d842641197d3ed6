import type { RecallRow } from './rows.js';

/** A row of the table `recalls`, as every adapter reads it. */
export interface RecallRecord {
  recall_no: number;
  recall_id: string;
  position: string;
  stream: string;
  event_id: string;
  schema: number;
  recorded_at: string;
  session_id: string | null;
  task_id: string | null;
  step: string | null;
  principal: string;
  agent: string | null;
  tool: string | null;
  asked_at: string;
  valid_at: string | null;
  basis: string | null;
  took_ms: number;
  items: string;
  subjects: string | null;
  secret_id: string | null;
  box: string | null;
}

export function toRecall(bank: string, record: RecallRecord): RecallRow {
  const items = JSON.parse(record.items) as [string, number, number][];
  return {
    bank,
    recallNo: record.recall_no,
    recallId: record.recall_id,
    position: record.position,
    stream: record.stream,
    eventId: record.event_id,
    type: 'RecallServed',
    schema: record.schema,
    recordedAt: record.recorded_at,
    subjects: record.subjects === null ? [] : (JSON.parse(record.subjects) as string[]),
    ...given('sessionId', record.session_id),
    ...given('taskId', record.task_id),
    ...given('step', record.step),
    principal: record.principal,
    ...given('agent', record.agent),
    ...given('tool', record.tool),
    askedAt: record.asked_at,
    ...given('validAt', record.valid_at),
    ...given('basisPosition', record.basis),
    tookMs: record.took_ms,
    items: items.map(([memoryId, version, score]) => ({ memoryId, version, score })),
    ...given('secretId', record.secret_id),
    ...given('box', record.box),
  };
}

function given<K extends string>(name: K, value: string | null): { [key in K]?: string } {
  return value === null ? {} : ({ [name]: value } as { [key in K]?: string });
}
