import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundledProgram } from '#test/support/bundled-program.js';
import { decodeKeyring } from './master-key.js';
import type { Vault } from './vault.js';

/** What a kill at any step of a move leaves, wherever keys are kept. The master key is in the folder. */
export function killsContract(place: {
  /** Empties the place for the next test. @returns the address for `key-mover`, empty where keys are in the folder */
  prepare(folder: string): Promise<string>;
  open(folder: string): Promise<Vault>;
  clear(): Promise<void>;
}): void {
  let program: string;
  let user: string;
  let folder: string;
  let url: string;
  const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

  beforeAll(async () => {
    program = await bundledProgram(new URL('./test-support/key-mover.ts', import.meta.url));
    user = await bundledProgram(new URL('./test-support/key-user.ts', import.meta.url));
  });
  afterAll(() => Promise.all([rm(program), rm(user)]));
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hl-kills-'));
    url = await place.prepare(folder);
  });
  afterEach(async () => {
    await place.clear();
    await rm(folder, { recursive: true });
  });

  async function started(file: string, args: readonly string[]) {
    const child: ChildProcess = fork(file, [...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] });
    let printed = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await once(child, 'message');
    child.send('go');
    const end = once(child, 'close');
    return {
      child,
      end,
      lines: () =>
        printed
          .split('\n')
          .slice(0, -1)
          .map((line) => line.split(' ')),
    };
  }

  async function expectOneEpoch(): Promise<void> {
    const left = (await readdir(folder)).filter((name) => name.startsWith('master.key'));
    expect(left).toEqual(['master.key']);
    const path = join(folder, 'master.key');
    expect(decodeKeyring(await readFile(path, 'latin1'), path).size).toBe(1);
  }

  describe('a move that is killed', () => {
    it('at every step: nothing else is lost, a process of before goes on, and doing it again finishes it', async () => {
      const vault = await place.open(folder);
      const made = await Promise.all(Array.from({ length: 40 }, () => vault.freshSecret()));
      const kept = made.slice(10);
      let kills = 0;
      for (let step = 1; ; step++) {
        const subject = hex(await vault.subjectSecret('b1', 's1'));
        const { id } = await vault.freshSecret();
        const mover = await started(program, [folder, url, String(step), id]);
        const [code, signal] = await mover.end;
        expect(mover.lines()).toEqual([]);
        expect(code === 0 || signal === 'SIGKILL').toBe(true);
        // A process of before, and one that starts now.
        const fresh = await place.open(folder);
        const later = await vault.freshSecret();
        for (const each of [vault, fresh])
          for (const { id: keptId, secret } of [...kept, later])
            expect(hex(await each.secret(keptId)), `step ${step}`).toBe(hex(secret));
        // Whole or not at all.
        const left = [await fresh.secret(id), await fresh.knownSubjectSecret('b1', 's1')];
        expect(left.filter((each) => each === undefined).length, `step ${step}`).not.toBe(1);
        if (left[1]) expect(hex(left[1])).toBe(subject);
        await fresh.destroy({ secrets: [id], subjects: [{ bank: 'b1', subject: 's1' }], banks: [] });
        expect(await vault.secret(id)).toBeUndefined();
        expect(await vault.knownSubjectSecret('b1', 's1')).toBeUndefined();
        await expectOneEpoch();
        await fresh.close();
        if (signal === 'SIGKILL') kills += 1;
        else break;
      }
      await vault.close();
      expect(kills).toBeGreaterThanOrEqual(18);
    }, 120_000);

    it('at any moment, beside a process that writes', async () => {
      const handedOut = new Map<string, string>();
      const doomed = new Set<string>();
      const gone = new Set<string>();
      const writer = await started(user, [folder, '0', ...(url ? [url] : [])]);
      for (let kill = 0; kill < 15; kill++) {
        const mover = await started(program, [folder, url, '0']);
        // Every other one gets through at least once, however slow the machine is.
        const awaited = kill % 2 === 0 ? 'gone' : 'made';
        await expect
          .poll(() => mover.lines().some(([what]) => what === awaited), { timeout: 30_000, interval: 5 })
          .toBe(true);
        await sleep(Math.random() * 150);
        mover.child.kill('SIGKILL');
        await mover.end;
        for (const [what, id = '', secret = ''] of mover.lines()) {
          expect(what).not.toBe('error');
          if (what === 'made') handedOut.set(id, secret);
          if (what === 'dooming') doomed.add(id);
          if (what === 'gone') gone.add(id);
        }
      }
      writer.child.kill('SIGKILL');
      await writer.end;
      const written = writer.lines();
      expect(written.filter(([name]) => name === 'error')).toEqual([]);
      for (const [id = '', secret = ''] of written) if (id.includes('.')) handedOut.set(id, secret);

      const vault = await place.open(folder);
      for (const [id, secret] of handedOut) {
        const found = hex(await vault.secret(id));
        if (gone.has(id)) expect(found, id).toBeUndefined();
        else if (!doomed.has(id)) expect(found, id).toBe(secret);
      }
      await vault.destroy({ secrets: [...doomed], subjects: [], banks: [] });
      for (const id of doomed) expect(await vault.secret(id)).toBeUndefined();
      await expectOneEpoch();
      await vault.close();
      expect(gone.size).toBeGreaterThanOrEqual(24);
      expect(written.length).toBeGreaterThan(100);
    }, 120_000);
  });
}
