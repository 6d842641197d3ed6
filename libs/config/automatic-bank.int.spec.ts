import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { automaticBank, canonicalRemote, remoteOf } from './automatic-bank.js';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hl-bank-')));
});

function repository(path: string, config: string) {
  mkdirSync(join(path, '.git'), { recursive: true });
  writeFileSync(join(path, '.git', 'config'), config);
}

const origin = (url: string) => `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/*\n`;

describe('canonicalRemote', () => {
  it.each([
    'https://github.com/Acme/Widgets.git',
    'https://github.com/acme/widgets',
    'https://github.com/acme/widgets/',
    'https://someone:ghp_secret@github.com/acme/widgets.git',
    'https://some@one:p@ss@github.com:443/acme/widgets.git',
    'git@github.com:acme/widgets.git',
    'github.com:acme/widgets',
    'ssh://git@github.com/acme/widgets.git',
    'ssh://git@ssh.github.com:443/acme/widgets.git',
    'git://github.com/acme/widgets.git?token=secret#x',
  ])('reads %s as one repository', (remote) => {
    expect(canonicalRemote(remote, '/somewhere')).toBe('github.com/acme/widgets');
  });

  it('keeps the case of paths where the host may tell it apart', () => {
    expect(canonicalRemote('git@Git.Example.org:Team/App.git', '/')).toBe('git.example.org/Team/App');
    expect(canonicalRemote('ssh://git@git.example.org:2222/Team/App', '/')).toBe('git.example.org/Team/App');
  });

  it('names a repository on the same machine by its folder', () => {
    expect(canonicalRemote('/srv/git/app.git', '/home/a')).toBe('/srv/git/app');
    expect(canonicalRemote('file:///srv/git/app.git/', '/home/a')).toBe('/srv/git/app');
    expect(canonicalRemote('../app.git', '/home/a')).toBe('/home/app');
  });
});

describe('remoteOf', () => {
  it('prefers origin to what comes first, and takes what there is', () => {
    const both = `[remote "fork"]\n url = git@h.org:me/x\n${origin('git@h.org:team/x')}`;
    expect(remoteOf(both)).toBe('git@h.org:team/x');
    expect(remoteOf('[remote "fork"]\n url = git@h.org:me/x\n[branch "main"]\n url = no\n')).toBe('git@h.org:me/x');
    expect(remoteOf('[core]\n bare = true\n')).toBeUndefined();
  });
});

describe('automaticBank', () => {
  it('is the same for clones, subfolders and worktrees of a repository', () => {
    repository(join(root, 'a'), origin('https://token@git.example.org/team/app.git'));
    repository(join(root, 'b'), origin('git@git.example.org:team/app.git'));
    mkdirSync(join(root, 'a', 'src', 'deep'), { recursive: true });
    mkdirSync(join(root, 'a', '.git', 'worktrees', 'wt'), { recursive: true });
    writeFileSync(join(root, 'a', '.git', 'worktrees', 'wt', 'commondir'), '../..\n');
    mkdirSync(join(root, 'wt'));
    writeFileSync(join(root, 'wt', '.git'), `gitdir: ${join(root, 'a', '.git', 'worktrees', 'wt')}\n`);
    for (const folder of ['a', 'b', 'a/src/deep', 'wt'])
      expect(automaticBank(join(root, folder)).bank).toBe('git.example.org/team/app');
  });

  it('is the root of a repository without a remote, for its worktrees too', () => {
    repository(join(root, 'a'), '[core]\n');
    mkdirSync(join(root, 'a', '.git', 'worktrees', 'wt'), { recursive: true });
    writeFileSync(join(root, 'a', '.git', 'worktrees', 'wt', 'commondir'), '../..\n');
    mkdirSync(join(root, 'wt'));
    writeFileSync(join(root, 'wt', '.git'), `gitdir: ${join(root, 'a', '.git', 'worktrees', 'wt')}\n`);
    expect(automaticBank(join(root, 'a')).bank).toBe(join(root, 'a'));
    expect(automaticBank(join(root, 'wt')).bank).toBe(join(root, 'a'));
  });

  it('is default outside of a repository', () => {
    expect(automaticBank(root).bank).toBe('default');
  });
});
