/** Categories of streams. A bank's id holds no `-`, so the first one after the last dot ends the category. */
export type StreamCategory = 'memory' | 'understanding' | 'recall' | 'subject' | 'bank' | 'seal';

export interface StreamName {
  readonly ledger: string;
  readonly bank: string;
  readonly category: StreamCategory;
  readonly id: string;
}

const pattern = /^hl\.([a-z0-9]+)\.([a-z0-9]+)\.(memory|understanding|recall|subject|bank|seal)-([A-Za-z0-9-]+)$/;

/** `hl.<ledger>.<bank>.<category>-<id>` */
export function streamName(parts: StreamName): string {
  const name = `hl.${parts.ledger}.${parts.bank}.${parts.category}-${parts.id}`;
  if (!pattern.test(name))
    throw new TypeError(`${JSON.stringify(name)} is no stream name: hl.<ledger>.<bank>.<category>-<id>`);
  return name;
}

export function memoryStream(ledger: string, bank: string, memoryId: string): string {
  return `hl.${ledger}.${bank}.memory-${memoryId}`;
}

/** @throws TypeError when the name has another form. */
export function parseStreamName(name: string): StreamName {
  const match = pattern.exec(name);
  if (!match) throw new TypeError(`${JSON.stringify(name)} is no stream name: hl.<ledger>.<bank>.<category>-<id>`);
  return { ledger: match[1]!, bank: match[2]!, category: match[3] as StreamCategory, id: match[4]! };
}

/** The bank of a stream with a well-formed name; '' of any other. For what looks at every event. */
export function bankOfStream(name: string): string {
  const from = name.indexOf('.', 3) + 1;
  const to = name.indexOf('.', from);
  return from > 0 && to > from ? name.slice(from, to) : '';
}
