import { describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { roles } from '#contract/caller.js';
import { localPrincipal } from './local-principal.js';
import { demand, may } from './role-rules.js';

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

  it('lets a stdio connection read, write and audit, and erase nothing, unless told otherwise', () => {
    const held = loadConfig({ env: {} }).config.roles;
    expect(['memory_search', 'memory_write', 'memory_audit'].every((tool) => may(held, tool))).toBe(true);
    expect(held).not.toContain('eraser');
  });

  it('names the role that is lacking', () => {
    expect(() => demand(['reader'], 'memory_write')).toThrow(/memory_write needs the role writer.*has reader/);
    expect(() => demand([], 'memory_search')).toThrow(/has none/);
    expect(() => demand(['writer'], 'memory_write')).not.toThrow();
  });
});

describe('the local principal', () => {
  it('is the user of the operating system', () => {
    expect(localPrincipal()).toMatch(/^local:.+$/);
  });
});
