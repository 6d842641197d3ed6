import { describe, expect, it } from 'vitest';
import { type AuditInput, auditInput, audits } from './audit.js';
import { asksThatTake, checkParameters } from './audit-parameters.js';

/** Something that the schema accepts, for each parameter. */
const given: Record<keyof typeof asksThatTake, unknown> = {
  query: 'q',
  at: '2026-01-01',
  from: '2026-01-01',
  to: '2026-01-02',
  as_of: '2026-01-01',
  valid_at: '2026-01-01',
  valid_during: { from: '2026-01-01' },
  basis: 'b1.x',
  memory_id: 'm',
  key: 'k',
  principal: 'p',
  session_id: 's',
  task_id: 't',
  kinds: ['semantic'],
  tags: ['x'],
  subject: 'Ada',
  include: ['retracted'],
  by: '3d',
  limit: 5,
  cursor: 'a1.x',
};

const pairs = audits.flatMap((ask) =>
  Object.keys(asksThatTake).map((parameter) => [ask, parameter as keyof typeof asksThatTake] as const),
);

describe('the parameters of an audit', () => {
  it('are all in the table', () => {
    expect(Object.keys(asksThatTake).sort()).toEqual(
      Object.keys(auditInput.shape)
        .filter((name) => name !== 'ask')
        .sort(),
    );
  });

  it.each(pairs)('of %s: %s is taken, or refused by its name with the asks that take it', (ask, parameter) => {
    const input = auditInput.parse({ ask, [parameter]: given[parameter] });
    const asks = asksThatTake[parameter];
    if (asks.includes(ask)) return expect(() => checkParameters(input)).not.toThrow();
    expect(() => checkParameters(input)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: expect.stringContaining(`${ask} takes no ${parameter}: it is for ${asks[0]}`),
        details: { parameter, ask, accepted: asks },
      }),
    );
  });

  it.each([
    [{ ask: 'state', from: '2026-01-01', by: '3d' }, 'diff compares two moments'],
    [{ ask: 'who', include: ['retracted'] }, 'it is for belief and state'],
    [{ ask: 'who', at: '2026-01-01' }, 'it is for belief and shown'],
    [{ ask: 'events', query: 'x' }, 'it is for belief. Leave it out'],
  ] satisfies [AuditInput, string][])('%j is told what to do', (input, said) =>
    expect(() => checkParameters(input)).toThrow(said),
  );
});
