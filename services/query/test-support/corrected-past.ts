import { day, type QuestionBench, questionBench, start } from './question-bench.js';

/** A database that moves from MySQL to PostgreSQL, told a day late; a limit that was wrong for three weeks; a lead, forgotten. */
export async function correctedPast(): Promise<QuestionBench> {
  const bench = questionBench();
  const { views } = bench;
  await views.write(
    { memoryId: 'db', key: 'db', content: 'The database is MySQL 8.0', validFrom: start, tags: ['infra'] },
    start,
  );
  await views.write(
    { memoryId: 'limit', key: 'limit', content: 'The rate limit is 100', validFrom: start },
    start + day,
  );
  await views.write({ memoryId: 'lead', key: 'lead', content: 'Ada leads the team', session: 's1' }, start + 2 * day);
  await views.write(
    {
      memoryId: 'db',
      key: 'db',
      content: 'The database is PostgreSQL 16',
      validFrom: start + 5 * day,
      tags: ['infra'],
    },
    start + 6 * day,
  );
  await views.forget('lead', 'she moved on', start + 8 * day);
  await views.write(
    { memoryId: 'limit', key: 'limit', content: 'The rate limit is 50', validFrom: start },
    start + 21 * day,
  );
  bench.now = start + 22 * day;
  return bench;
}
