import { expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import { exitCodeOf } from './exit-codes.js';
import { createOutput } from './output.js';

function streams(isTTY: boolean) {
  const written = { stdout: '', stderr: '' };
  const to = (name: keyof typeof written) =>
    ({
      isTTY,
      write(text: string) {
        written[name] += text;
        return true;
      },
    }) as unknown as NodeJS.WriteStream;
  return { written, stdout: to('stdout'), stderr: to('stderr') };
}

it('colours only on a terminal, and not where NO_COLOR is set', () => {
  const on = streams(true);
  const off = streams(false);
  expect(createOutput(false, on.stdout, on.stderr, {}).style('bold', 'x')).toBe('\u001b[1mx\u001b[22m');
  expect(createOutput(false, on.stdout, on.stderr, { NO_COLOR: '1' }).style('bold', 'x')).toBe('x');
  expect(createOutput(false, on.stdout, on.stderr, { TERM: 'dumb' }).style('bold', 'x')).toBe('x');
  expect(createOutput(false, off.stdout, off.stderr, {}).style('bold', 'x')).toBe('x');
});

it('says an error with what to do on stderr, or as JSON on stdout', () => {
  const error = new HindsightError('memory_not_found', 'There is no memory x.');
  const people = streams(false);
  createOutput(false, people.stdout, people.stderr, {}).error(error);
  expect(people.written).toEqual({
    stdout: '',
    stderr: 'memory_not_found: There is no memory x.\nCheck the id, or search for the memory.\n',
  });
  const programs = streams(false);
  createOutput(true, programs.stdout, programs.stderr, {}).error(error);
  expect(JSON.parse(programs.written.stdout)).toMatchObject({ error: { code: 'memory_not_found' } });
  expect(programs.written.stderr).toBe('');
});

it.each([
  ['invalid_time', 2],
  ['memory_not_found', 2],
  ['ledger_corrupt', 1],
  ['version_conflict', 1],
  ['disk_full', 3],
  ['no_file', 3],
  ['master_key_missing', 3],
  ['unreachable', 3],
] as const)('%s is exit code %d', (code, expected) => {
  expect(exitCodeOf(new HindsightError(code, 'x'))).toBe(expected);
});
