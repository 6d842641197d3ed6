import { afterEach, beforeEach, expect, it } from 'vitest';
import { type IngestHome, ingestHome, sources } from '../test-support/ingest-home.js';

let home: IngestHome;
beforeEach(async () => {
  home = await ingestHome();
});
afterEach(() => home.remove());

const foreign = sources.uuid();
const ofAnotherBank = {
  code: 'memory_of_another_bank',
  message: `memory_id is ${JSON.stringify(foreign)}, which is a memory of another bank.`,
  details: { memory_id: foreign },
};

it('says of a memory that it is another bank’s, whatever is to be done with it', async () => {
  const asked: string[] = [];
  const { commands, caller } = await home.process({
    isOfAnotherBank: async (memoryId) => asked.push(memoryId) > 0 && memoryId === foreign,
  });
  const { memory_id } = await commands.write({ content: 'x' }, caller);
  await commands.write({ content: 'y', memory_id }, caller);
  expect(asked).toEqual([]);
  await expect(commands.write({ content: 'x', memory_id: foreign }, caller)).rejects.toMatchObject(ofAnotherBank);
  await expect(commands.forget({ memory_id: foreign, reason: 'r' }, caller)).rejects.toMatchObject(ofAnotherBank);
  await expect(commands.restore({ memory_id: foreign, reason: 'r' }, caller)).rejects.toMatchObject(ofAnotherBank);
  await expect(commands.write({ content: 'x', derived_from: [foreign] }, caller)).rejects.toMatchObject({
    code: 'memory_of_another_bank',
    message: expect.stringMatching(/^derived_from is /),
  });
  const batch = await commands.write({ items: [{ content: 'x', memory_id: foreign }, { content: 'z' }] }, caller);
  expect(batch.items).toMatchObject([{ error: { code: 'memory_of_another_bank' } }, { status: 'stored' }]);
  await expect(commands.restore({ memory_id: sources.uuid(), reason: 'r' }, caller)).rejects.toMatchObject({
    code: 'memory_not_found',
  });
});
