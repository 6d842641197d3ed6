import { expect, it } from 'vitest';
import { isTraceparent } from './traceparent.js';

it('takes a trace context of version 00 and nothing else', () => {
  const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(isTraceparent(good)).toBe(true);
  for (const bad of [
    undefined,
    7,
    '',
    `${good}-more`,
    ` ${good}`,
    `${good}\n`,
    good.toUpperCase(),
    good.replace(/^00/, 'ff'),
    good.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
    good.replace('b7ad6b7169203331', '0'.repeat(16)),
    'Quillfeather owns the gateway',
  ])
    expect(isTraceparent(bad), String(bad)).toBe(false);
});
