import { describe, expect, it } from 'vitest';
import { command } from '#test/support/command.js';
import { freshHomes } from '#test/support/fresh-homes.js';

const freshHome = freshHomes();

/** What a command says beside its answer, so that a slip is not taken for an answer. */
describe('memories by the command', () => {
  it('are asked for in a home that held nothing with a word about that, and its answers are those of an empty memory', async () => {
    const empty = freshHome();
    const first = await command(empty, ['search', 'deploys']);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing that is relevant/) });
    expect(first.stderr).toContain(`There was no memory in ${empty} yet: an empty one is made.`);
    expect((await command(empty, ['search', 'deploys'])).stderr).not.toContain('There was no memory');
    expect((await command(freshHome(), ['write', 'Deploys go out on Thursdays'])).stderr).not.toContain(
      'There was no memory',
    );
  });

  it('are erased with a word about the master key, and a person whom none names is told as such', async () => {
    const other = freshHome();
    await command(other, ['write', 'Grace prefers mail', '--subjects', 'Grace Hopper']);
    const erase = (subject: string, ...more: string[]) =>
      command(other, ['erase', '--subject', subject, '--reason', 'asked to', ...more]);
    expect((await erase('Grace Hoper', '--dry-run')).stdout).toMatch(/^No memory is about them: /);
    await command(other, ['bank', 'create', 'trial']);
    const bank = await command(other, ['bank', 'delete', 'trial', '--reason', 'r', '--dry-run']);
    expect(bank.stdout).toMatch(/^Would erase 0 memories/);
    const done = await erase('Grace Hopper', '--yes');
    expect(done.stderr).toMatch(/^Would erase 1 memory, every version of each:/m);
    expect(done.stdout).toMatch(/^erased: 1 memory, .*\nThe master key was made anew: copy \S+master\.key again/s);
  });
});
