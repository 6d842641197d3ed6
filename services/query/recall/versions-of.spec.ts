import { expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import type { ViewsReader } from '#views/reader.js';
import type { VersionRow } from '#views/rows.js';
import { versionsOf } from './versions-of.js';

const holding = (...held: number[]): Pick<ViewsReader, 'versionsByDoc'> => ({
  versionsByDoc: async (_bank, docs) => docs.filter((doc) => held.includes(doc)).map((doc) => ({ doc }) as VersionRow),
});

it('gives the versions in the order asked for', async () => {
  const rows = await versionsOf({ bank: 'b1', reader: holding(0, 1, 2) }, [2, 0]);
  expect(rows.map(({ doc }) => doc)).toEqual([2, 0]);
});

it('says that the views were lost, rather than less than was asked for', async () => {
  await expect(versionsOf({ bank: 'b1', reader: holding(0) }, [0, 1])).rejects.toSatisfy((error) =>
    isHindsightError(error, 'views_missing'),
  );
});
