import { expect, it } from 'vitest';
import { startChatServer } from '#understanding/enrich/test-support/chat-server.js';
import { checkLanguageModel } from './check-language-model.js';

/** A server stands for the model. */
const nothing = { entities: [], relations: [], dates: [] };
const named = (...names: string[]) => ({
  content: JSON.stringify({ ...nothing, entities: names.map((name) => ({ name, kind: 'place' })) }),
});
const brief = async (llmUrl: string | undefined, within?: number) =>
  (await checkLanguageModel({ llmUrl, llmModel: 'small', llmApiKey: 'sk-sentinel' }, within)).map(
    ({ status, says }) => `${status}: ${says}`,
  );

it('is not looked at where none is named', async () => {
  expect(await brief(undefined)).toEqual([]);
});

it('is asked to read a sentence of ours', async () => {
  await using server = await startChatServer(() => named('Lisbon', 'Ada Lovelace'));
  expect(await brief(server.url)).toEqual([
    expect.stringMatching(/^well: small at 127\.0\.0\.1:\d+ reads a sentence in/),
  ]);
  server.answer = () => named('Paris');
  expect(await brief(server.url)).toEqual([expect.stringMatching(/^warning: .* does not find a city/)]);
});

it('says what is wrong with it, and not its key', async () => {
  await using server = await startChatServer(() => ({ status: 401, raw: '{}' }));
  const [refused] = await brief(server.url);
  expect(refused).toMatch(/^wrong: The language model small at .*: it answered 401\.$/);
  server.answer = () => ({ after: 5_000 });
  const [late] = await brief(server.url, 200);
  expect(late).toMatch(/^wrong: /);
  expect(`${refused}${late}`).not.toContain('sentinel');
});

it('is warned of where anybody may read along', async () => {
  const [unreachable, advice] = await brief('http://models.invalid/v1', 200);
  expect(unreachable).toMatch(/^wrong/);
  expect(advice).toBe('warning: What is written is sent to models.invalid unencrypted.');
});
