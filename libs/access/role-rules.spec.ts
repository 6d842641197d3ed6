import { describe, expect, it } from 'vitest';
import { roles } from '#contract/caller.js';
import { localPrincipal } from './local-principal.js';
import { demand, may, parseRoles, stdioRoles } from './role-rules.js';

describe('role rules', () => {
  it.each([
    ['memory_search', ['reader']],
    ['memory_history', ['reader']],
    ['memory_stats', ['reader']],
    ['memory_audit', ['auditor']],
    ['memory_write', ['writer']],
    ['memory_forget', ['writer', 'eraser']],
    ['memory_restore', ['writer']],
    ['memory_feedback', ['writer']],
  ])('allows %s to %s alone', (tool, allowed) => {
    expect(roles.filter((role) => may([role], tool))).toEqual(allowed);
  });

  it('allows nobody what is no tool, inherited names included', () => {
    for (const tool of ['memory_write_all', 'toString', '__proto__', '']) expect(may(roles, tool)).toBe(false);
  });

  it('lets a stdio connection read and write', () => {
    expect(['memory_search', 'memory_write'].every((tool) => may(stdioRoles, tool))).toBe(true);
  });

  it('names the role that is lacking', () => {
    expect(() => demand(['reader'], 'memory_write')).toThrow(/memory_write needs the role writer.*has reader/);
    expect(() => demand([], 'memory_search')).toThrow(/has none/);
    expect(() => demand(['writer'], 'memory_write')).not.toThrow();
  });

  it('reads roles from text, each once, and names what is none', () => {
    expect(parseRoles(' writer,reader, reader')).toEqual(['reader', 'writer']);
    expect(() => parseRoles('reader,root')).toThrow(/"root", which is none of reader/);
    expect(() => parseRoles('')).toThrow(/""/);
  });
});

describe('the local principal', () => {
  it('is the user of the operating system', () => {
    expect(localPrincipal()).toMatch(/^local:.+$/);
  });
});
