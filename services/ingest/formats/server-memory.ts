import { createHash } from 'node:crypto';
import { bankOf, type FormatOptions, type Imported, isObject, type JsonObject, recordOf } from './imported.js';
import { importedTime } from './imported-time.js';
import type { Line } from './read-lines.js';

const largestDocument = 64 * 1024 * 1024; // characters, for files that are one JSON text

type Found = { readonly text: string; readonly parts: readonly string[]; readonly tags: readonly string[] } & {
  readonly metadata: Record<string, string>;
  readonly timestamp?: unknown;
};

/**
 * The knowledge graph of MCP's server-memory: entities with observations and relations, one JSON object a line or the
 * whole graph as one JSON text. Each observation becomes a memory with the entity's name in its text, each relation a sentence.
 * The source has no ids: what an entity is said to be is its own identity, so importing again doubles nothing.
 */
export async function* serverMemory(lines: AsyncIterable<Line>, options: FormatOptions): AsyncGenerator<Imported> {
  let document: string[] | undefined;
  let size = 0;
  let first = true;
  for await (const each of lines) {
    // A graph as one JSON text shows by its first line, which is none by itself.
    if (first && 'text' in each && typeof recordOf(each) === 'string') document = [];
    first = false;
    if (document && 'text' in each) {
      size += each.text.length;
      if (size > largestDocument) {
        yield { line: each.line, problem: 'The file is one JSON text of more than 64 MiB.' };
        return;
      }
      document.push(each.text);
      continue;
    }
    const record = recordOf(each);
    if (typeof record === 'string') yield { line: each.line, problem: record };
    else yield* importedFrom(record, each.line, options);
  }
  if (document) yield* wholeGraph(document.join('\n'), options);
}

function* wholeGraph(text: string, options: FormatOptions): Generator<Imported> {
  try {
    const graph: unknown = JSON.parse(text);
    for (const record of Array.isArray(graph) ? graph : [graph])
      if (isObject(record)) yield* importedFrom(record, 1, options);
      else yield { line: 1, problem: 'The JSON text is no knowledge graph.' };
  } catch {
    yield { line: 1, problem: 'The file is neither JSON lines nor one JSON text.' };
  }
}

function* importedFrom(record: JsonObject, line: number, options: FormatOptions): Generator<Imported> {
  const bank = bankOf(record, options.bankFrom);
  if ('problem' in bank) {
    yield { line, ...bank };
    return;
  }
  const found = [...factsOf(record)];
  if (found.length === 0)
    yield { line, problem: 'The record is neither an entity, nor a relation, nor an observation.' };
  for (const fact of found) yield { line, ...memoryOf(fact, options), ...bank };
}

function* factsOf(record: JsonObject): Generator<Found> {
  const { entities, relations, name, entityType, observations, from, to, relationType } = record;
  if (Array.isArray(entities) || Array.isArray(relations)) {
    for (const each of [entities, relations].flat()) if (isObject(each)) yield* factsOf(each);
  } else if (typeof name === 'string') {
    yield* observationsOf(name, typeof entityType === 'string' ? entityType : '', observations);
  } else if (typeof from === 'string' && typeof to === 'string') {
    const relation = typeof relationType === 'string' ? relationType : 'relates to';
    yield {
      text: `${from} ${relation.replace(/[_-]+/g, ' ')} ${to}`,
      parts: ['relation', from, relation, to],
      tags: from === to ? [from] : [from, to],
      metadata: { from, relation, to },
    };
  } else {
    const { text, timestamp } = observationOf(record);
    if (text !== undefined) yield { text, parts: ['text', text], tags: [], metadata: {}, timestamp };
  }
}

function* observationsOf(name: string, entityType: string, observations: unknown): Generator<Found> {
  const entity = entityType ? `${name} (${entityType})` : name;
  const metadata = { entity: name, ...(entityType ? { entity_type: entityType } : {}) };
  const said = Array.isArray(observations) ? observations.map(observationOf) : [];
  const texts = said.filter(({ text }) => text !== undefined);
  if (texts.length === 0) yield { text: entity, parts: ['entity', name], tags: [name], metadata };
  for (const { text, timestamp } of texts)
    yield { text: `${entity}: ${text}`, parts: ['observation', name, text!], tags: [name], metadata, timestamp };
}

function observationOf(value: unknown): { text?: string; timestamp?: unknown } {
  if (typeof value === 'string') return value.trim() === '' ? {} : { text: value };
  if (!isObject(value)) return {};
  const text = [value.text, value.content].find((each) => typeof each === 'string' && each.trim() !== '');
  return { text: text as string | undefined, timestamp: value.timestamp };
}

function memoryOf({ text, parts, tags, metadata, timestamp }: Found, { source = 'server-memory' }: FormatOptions) {
  const time = importedTime(timestamp);
  return {
    item: {
      content: text,
      kind: 'semantic' as const,
      origin: 'import' as const,
      tags: tags.map((tag) => tag.slice(0, 512)).filter((tag) => tag !== ''),
      ...(Object.keys(metadata).length ? { metadata } : {}),
      ...(time.occurred === undefined ? {} : { occurred_at: time.occurred }),
    },
    from: { source, id: createHash('sha256').update(JSON.stringify(parts)).digest('hex') },
    ...(time.note === undefined ? {} : { note: time.note }),
  };
}
