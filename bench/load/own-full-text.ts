import pg from 'pg';
import type { TestDatabase } from '#test/engines/engines.js';
import { type Percentiles, percentiles } from './percentiles.js';

/**
 * The baseline: what PostgreSQL brings along, over plain texts in one table. No Chinese words (its parser takes a run of characters for
 * one), no time, no banks, nothing sealed; BM25 it has not, ts_rank looks at each match by itself.
 * @returns milliseconds of the best five by any of a question's words
 */
export async function ownFullText(
  database: TestDatabase,
  texts: readonly string[],
  questions: number,
  question: () => string,
): Promise<Percentiles> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    await client.query(
      `CREATE TABLE plain_texts (id integer PRIMARY KEY, content text NOT NULL, words tsvector GENERATED ALWAYS AS (to_tsvector('simple', content)) STORED)`,
    );
    for (let from = 0; from < texts.length; from += 5_000)
      await client.query(
        'INSERT INTO plain_texts (id, content) SELECT $1 + number, content FROM unnest($2::text[]) WITH ORDINALITY AS given (content, number)',
        [from, texts.slice(from, from + 5_000)],
      );
    await client.query('CREATE INDEX ON plain_texts USING gin (words)');
    await client.query('VACUUM ANALYZE plain_texts');
    const times: number[] = [];
    for (let at = -100; at < questions; at++) {
      const words = question().split(' ').join(' | ');
      const began = performance.now();
      await client.query({
        name: 'plain search',
        text: `SELECT id, content, ts_rank(words, asked) AS score FROM plain_texts, to_tsquery('simple', $1) AS asked WHERE words @@ asked ORDER BY score DESC LIMIT 5`,
        values: [words],
      });
      if (at >= 0) times.push(performance.now() - began);
    }
    await client.query('DROP TABLE plain_texts');
    return percentiles(times);
  } finally {
    await client.end();
  }
}
