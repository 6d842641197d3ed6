import type { Prompt } from './prompt.js';

export const distilSession: Prompt = {
  name: 'distil-session',
  title: 'Keep what this session taught',
  description:
    'Goes through the conversation and stores what a later session will need, without repeating what is known.',
  needs: 'writer',
  arguments: [
    { name: 'session_id', description: 'The session to store under, if it has an id.', required: false },
    { name: 'task_id', description: 'The task that it was about, if it has an id.', required: false },
  ],
  text: ({ session_id, task_id }) => `Go through this conversation and keep what a later session will need.

1. List what was decided (with the reason), which facts about the project or the user came up, which preferences were stated, and what was tried and how it ended. Leave out small talk, what the code or its history already says, guesses, and anything secret.
2. For each, call memory_search to see what is known. Leave out what is known already.
3. Store the rest with one memory_write that has them as items${ids(session_id, task_id)}: each a sentence that stands by itself, with names and dates instead of "he", "it" or "yesterday". kind: semantic for facts and decisions, episodic for what happened, experience for what was tried and how it ended (trigger, action, outcome). Give a fact that may change a key such as "project.database"; when the search showed one under a key, use that key again, and the old version is superseded. Give valid_from where something became true at another time than now, and tags where they help.
4. Where the conversation showed that a memory is wrong rather than outdated, call memory_forget with its id and the reason.

Then say in a few lines what was stored, what was revised and what was left out.`,
};

function ids(session?: string, task?: string): string {
  const given = [
    ...(session ? [`session_id ${JSON.stringify(session)}`] : []),
    ...(task ? [`task_id ${JSON.stringify(task)}`] : []),
  ];
  return given.length > 0 ? `, each with ${given.join(' and ')}` : '';
}
