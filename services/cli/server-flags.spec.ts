import { expect, it } from 'vitest';
import { serverFlags } from './server-flags.js';

it('means the server when there is no verb', () => {
  expect(serverFlags([])).toEqual({});
  expect(serverFlags(['--home', '/h', '--bank=auto', '--roles', 'reader,writer'])).toEqual({
    home: '/h',
    bank: 'auto',
    roles: 'reader,writer',
  });
});

it('leaves everything else to the parser of the command', () => {
  for (const args of [
    ['search', 'x'],
    ['--help'],
    ['--version'],
    ['--home', '/h', 'stats'],
    ['--hom', '/h'],
    ['--home'],
  ])
    expect(serverFlags(args)).toBeUndefined();
  expect(serverFlags(['--home', '--bank', 'x'])).toBeUndefined();
});
