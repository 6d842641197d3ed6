import type { SearchExplanation } from '#contract/search.js';
import type { AskedQuestion } from '#understanding/questions/asked.js';
import type { View } from '../basis/open-view.js';
import type { Ranking } from './ranking/rank.js';
import { given } from './to-item.js';
import { versionsOf } from './versions-of.js';

/** How a question was taken, and what did not come into the answer. */
export async function explained(
  { text, cut }: AskedQuestion,
  { ranked, dropped, form, cutoff, cuts, holds }: Ranking,
  view: View,
): Promise<SearchExplanation> {
  const rows = await versionsOf(
    view,
    dropped.map(({ doc }) => doc),
  );
  return {
    ...(cut.length ? { text, cut: [...cut] } : {}),
    profile: view.inForce.told,
    ...(view.inForce.off.size ? { off: [...view.inForce.off] } : {}),
    ...given('form', form),
    ...(dropped.length
      ? {
          dropped: dropped.map(({ score }, at) => ({
            id: rows[at]!.memoryId,
            version: rows[at]!.version,
            score,
            why:
              ranked.length === 0 && cutoff !== undefined && score >= cutoff
                ? 'Nothing here fits the question well enough to be an answer.'
                : 'Its score is below the cut.',
          })),
        }
      : {}),
    ...given('cutoff', cutoff),
    ...given('form_cutoff', cuts?.form),
    ...given('beside_best', cuts?.besideBest),
    ...given('beside_best_across', cuts?.besideBestAcross),
    ...given('holds', holds),
  };
}
