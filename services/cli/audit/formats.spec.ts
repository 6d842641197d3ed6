import { describe, expect, it } from 'vitest';
import type { AuditRow } from '#contract/audit.js';
import { createOutput } from '../output.js';
import { columnsOf } from './columns.js';
import { formats, linesOf } from './formats.js';

const out = createOutput(false);
const row: AuditRow = {
  memory_id: '01985f00-0000-7000-8000-000000000001',
  key: 'db',
  change: 'revised',
  before: { version: 1, status: 'superseded', content: 'MySQL, "8.0"\nwith a replica' },
  after: { version: 2, status: 'current', content: { engine: 'PostgreSQL' } },
  recorded_at: '2026-03-06T00:00:00.000Z',
  principal: 'ann',
  why: '迁移完成',
};

describe('rows of a difference', () => {
  it('are one JSON document per line, whole', () => {
    const { head, line } = linesOf('jsonl', columnsOf.diff, out);
    expect(head).toBeUndefined();
    expect(JSON.parse(line(row))).toEqual(row);
    expect(line(row)).not.toContain('\n');
  });

  it('are CSV as RFC 4180 has it', () => {
    const { head, line } = linesOf('csv', columnsOf.diff, out);
    expect(head).toBe('key,change,recorded_at,principal,why,memory_id,before,after');
    expect(line(row)).toBe(
      'db,revised,2026-03-06T00:00:00.000Z,ann,迁移完成,01985f00-0000-7000-8000-000000000001,"MySQL, ""8.0""\nwith a replica","{""engine"":""PostgreSQL""}"',
    );
    expect(line({})).toBe(',,,,,,,');
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1+1', "'\t=1+1"],
    ['\r=1+1', `"'\r=1+1"`],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['a=1', 'a=1'],
    ["'quoted'", "'quoted'"],
  ])('are no formulas in CSV: %j', (key, cell) => {
    const { line } = linesOf('csv', columnsOf.diff, out);
    expect(line({ key })).toBe(`${cell},,,,,,,`);
    expect(JSON.parse(linesOf('jsonl', columnsOf.diff, out).line({ key }))).toEqual({ key });
  });

  it('are a table with a line each, whatever they hold', () => {
    const { head, line } = linesOf('table', columnsOf.diff, out);
    const text = line({ ...row, why: `\u001b[2J${'长'.repeat(60)}` });
    expect(text).not.toContain('\n');
    expect(text).not.toContain('\u001b');
    expect(text.startsWith('db                    revised      2026-03-06')).toBe(true);
    expect(head!.indexOf('principal')).toBe(line(row).indexOf('ann'));
  });
});

it('a delay is a duration in a table, and a number of seconds for programs', () => {
  const late: AuditRow = { recorded_at: '2026-03-06T00:00:00.000Z', late_by: 8_647_260.5, key: 'db' };
  const of = (format: (typeof formats)[number]) => linesOf(format, columnsOf.retroactive, out).line(late);
  expect(of('table')).toMatch(/ 100d 2h +.* db/);
  expect(of('csv')).toContain(',8647260.5,');
  expect(JSON.parse(of('jsonl'))).toMatchObject({ late_by: 8_647_260.5 });
});

it.each(formats)('every audit can be printed as %s', (format) => {
  for (const columns of Object.values(columnsOf)) expect(typeof linesOf(format, columns, out).line(row)).toBe('string');
});
