import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startServer, temporaryHome } from '#test/support/built-server.js';
import { plantedIn } from '#test/support/planted.js';

const home = temporaryHome();
afterAll(() => home.remove());

const planted = ['Quillfeather', 'Brambletoft', 'Ottersworth', 'Pennywhistle', 'Marrowgate', 'Larkspurton', '紫薇星辰'];

it('leaves nothing that a person wrote readable in any file of the home, nor in the log, also when it is killed', async () => {
  const server = await startServer(home.path, { env: { HINDSIGHT_LEDGER_LOG_LEVEL: 'trace' } });
  const written = await server.call('memory_write', {
    content: 'Quillfeather owns the gateway 紫薇星辰',
    key: 'owner.Brambletoft',
    tags: ['Ottersworth'],
    metadata: { note: 'Pennywhistle' },
    subjects: ['Marrowgate'],
  });
  await server.call('memory_search', { query: 'Larkspurton gateway', tags: ['Ottersworth'] });
  const forgotten = await server.call('memory_forget', {
    memory_id: written.structured.memory_id,
    reason: 'Larkspurton asked for it',
  });
  expect(forgotten.structured.status).toBe('forgotten');
  await server.call('memory_history', { key: 'owner.Brambletoft' });
  process.kill(server.pid, 'SIGKILL');
  await server.close().catch(() => undefined);

  const files = readdirSync(home.path).map((name) => [name, readFileSync(join(home.path, name))] as const);
  expect(files.map(([name]) => name)).toContain('ledger.db-wal');
  const found = [...files, ['log', Buffer.from(server.log())] as const].flatMap(([name, bytes]) =>
    plantedIn(planted, bytes).map((word) => `${word} in ${name}`),
  );
  expect(found).toEqual([]);
});
