import type { CommandPort } from '#contract/command-port.js';
import { forgetInput, forgetOutput } from '#contract/forget.js';
import { renderForget } from '../render/render-forget.js';
import { defineTool } from '../tool.js';

export const memoryForget = (commands: CommandPort) =>
  defineTool({
    name: 'memory_forget',
    title: 'Forget',
    description:
      'Stop serving memories that are wrong, were stored by mistake, or that the user asks you to forget. When a fact has merely changed, write the new one with the same key instead: it supersedes the old. Give `memory_id`, or a `filter`: a filter first answers with what would go and a `confirm` token, and forgets when called again with that token. By default nothing is destroyed: history keeps it and memory_restore brings it back. `mode: archive` lays aside what is still true but no longer worth serving; `mode: erase` destroys for good what a person has the right to have gone: it always shows first what would go.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    input: forgetInput,
    output: forgetOutput,
    call: (given, caller) => commands.forget(given, caller),
    render: renderForget,
  });
