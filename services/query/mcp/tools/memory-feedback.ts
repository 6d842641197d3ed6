import type { CommandPort } from '#contract/command-port.js';
import { feedbackInput, feedbackOutput } from '#contract/feedback.js';
import { renderFeedback } from '../render/render-feedback.js';
import { defineTool } from '../tool.js';

export const memoryFeedback = (commands: CommandPort) =>
  defineTool({
    name: 'memory_feedback',
    title: 'Feedback',
    description:
      'Say how a memory fared once you have used it: what you did by it worked or did not, it helped or had nothing to do with the question, or it is wrong. Call it after acting on what memory_search gave, with the `recall_id` of that answer; what is served later learns from it. One rating per answer counts: the same again changes nothing, another outcome takes its place. To correct a wrong memory, write the right one with memory_write as well.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    input: feedbackInput,
    output: feedbackOutput,
    call: (given, caller) => commands.rate(given, caller),
    render: renderFeedback,
  });
