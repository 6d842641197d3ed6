import type { Prompt } from './prompt.js';

export const recallFirst: Prompt = {
  name: 'recall-first',
  title: 'Answer from memory first',
  description: 'Searches the memory before answering, and says what the answer rests on.',
  needs: 'reader',
  arguments: [{ name: 'question', description: 'What you want to know.', required: true }],
  text: ({ question }) => `Question: ${question}

Before you answer:
1. Call memory_search with the question's own words. If it asks about an earlier time, give that time as valid_at (what was true then) or as_of (what was known then).
2. If the answer is empty or thin, search once or twice more with other words: names, file paths, error codes, or the other language (English or Chinese).
3. If two memories disagree, call memory_history for both and go by the newer one, unless its source is worth less.

Then answer. Name the memories that the answer rests on with their dates and who wrote them, and keep apart what is remembered and what you conclude. If nothing relevant is remembered, say so and answer from what you know otherwise, marked as such.`,
};
