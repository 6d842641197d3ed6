import { readInput } from '#contract/input/read-input.js';
import { shownStatuses } from '#contract/memory-item.js';
import { searchInput } from '#contract/search.js';
import { memoryKinds } from '#events/version-fields.js';
import { fraction, listed, parameters, someOf, span, wholeNumber } from '../options.js';
import { readyToAsk } from '../ready-to-ask.js';
import { renderExplained } from '../render/explain-table.js';
import { renderSearch } from '../render/items.js';
import { verb } from '../verb.js';

interface Options extends Record<string, unknown> {
  from?: string;
  to?: string;
}

const names = [
  'kinds',
  'session_id',
  'task_id',
  'tags',
  'subject',
  'as_of',
  'valid_at',
  'valid_during',
  'basis',
  'top_k',
  'token_budget',
  'min_score',
  'include',
  'explain',
] as const;

export const search = () =>
  verb<Options>('search', 'what is remembered about a question', async (run, options, words) => {
    const { from, to } = options;
    const input = readInput(searchInput, {
      query: words.join(' '),
      ...parameters(options, names),
      ...(from || to ? { time_range: { from, to } } : {}),
    });
    const { queries, caller, bank, embedder, embedding, projector, views } = await run.open();
    await readyToAsk({ embedder, embedding, projector, reader: views.reader(), bank });
    run.out.answer(await queries.search(input, caller('search')), (found) =>
      input.explain ? renderExplained(found, run.out) : renderSearch(found, run.out),
    );
  })
    .argument('<query...>', 'the question, in words')
    .option('--kinds <list>', `some of ${memoryKinds.join(', ')}`, someOf(memoryKinds))
    .option('--session-id <id>', 'written in this session')
    .option('--task-id <id>', 'written for this task')
    .option('--tags <list>', 'all of them must be there; separated by commas', listed)
    .option('--subject <name>', 'about this person')
    .option('--from <time>', 'happened at this time or later')
    .option('--to <time>', 'happened before this time')
    .option('--as-of <time>', 'with what was known at this time')
    .option('--valid-at <time>', 'with what was true at this time')
    .option('--valid-during <from/to>', 'with what was true at any time in this span', span)
    .option('--basis <token>', 'repeat an earlier answer')
    .option('--top-k <number>', '5 by default, at most 100', wholeNumber)
    .option('--token-budget <number>', 'no more tokens than this; what is too long is named, never cut', wholeNumber)
    .option('--min-score <number>', 'from 0 to 1', fraction)
    .option('--include <list>', `statuses beyond current: ${shownStatuses.join(', ')}`, someOf(shownStatuses))
    .option('--explain', 'show as a table how each item came to be ranked, and what was left out');
