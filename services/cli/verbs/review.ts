import { Command } from 'commander';
import type { ReviewInput } from '#contract/review.js';
import { memoryStream } from '#events/stream-name.js';
import { openEvent } from '#sealing/open-event.js';
import { reasonFor } from '../ask.js';
import type { Opened } from '../opened.js';
import { moment } from '../render/moment.js';
import { oneLine } from '../render/prose.js';
import { verb } from '../verb.js';

export const review = () =>
  new Command('review')
    .description('what is held back: nobody is served it until a reviewer has looked')
    .addCommand(list())
    .addCommand(decide('release', 'serve it again'))
    .addCommand(decide('reject', 'take it away; only a reviewer restores it'))
    .addCommand(decide('quarantine', 'hold a memory back'));

interface Held {
  readonly memory_id: string;
  readonly version: number;
  readonly preview: string;
  readonly since?: string;
  readonly by?: string;
  readonly why?: string;
}

const list = () =>
  verb('list', 'all that is held back', async (run) => {
    const opened = await run.open();
    const who = opened.caller('review list');
    const held = new Map<string, Held>();
    for (const { memoryId, version, preview } of await opened.queries.matching({}, who, 'quarantined'))
      held.set(memoryId, { memory_id: memoryId, version, preview, ...(await whyHeld(opened, memoryId)) });
    run.out.answer([...held.values()], (all) =>
      all.length === 0
        ? 'Nothing is held back.'
        : all
            .map(({ memory_id, preview, since, by, why }) =>
              [
                `${memory_id}  ${oneLine(preview, run.out.width - 40)}`,
                ...(since
                  ? [run.out.style('dim', `  since ${moment(since)}, by ${by}: ${oneLine(why ?? '', 200)}`)]
                  : []),
              ].join('\n'),
            )
            .join('\n'),
    );
  });

async function whyHeld({ ledger, vault, bank }: Opened, memoryId: string): Promise<Pick<Held, 'since' | 'by' | 'why'>> {
  const stream = memoryStream(ledger.id, bank, memoryId);
  for await (const stored of ledger.readStream(stream, { direction: 'backward' })) {
    if (stored.type !== 'MemoryQuarantined') continue;
    const { envelope, event } = await openEvent(vault, stored.bytes);
    if (event.type !== 'MemoryQuarantined') break;
    return { since: envelope.recordedAt, by: envelope.principal, why: event.content.reason };
  }
  return {};
}

const decide = (verdict: ReviewInput['verdict'], about: string) =>
  verb<{ reason?: string }>(verdict, about, async (run, options, [id = '']) => {
    const reason = await reasonFor(options.reason);
    const { commands, caller } = await run.open();
    run.out.answer(
      await commands.review({ memory_id: id, verdict, reason }, caller(`review ${verdict}`)),
      (done) => `${done.status}: ${done.memory_id}, version ${done.version}`,
    );
  })
    .argument('<memory-id>', 'as `review list` or `search` names it')
    .option('--reason <text>', 'why: it stays on record');
