import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { checkHost } from './host-policy.js';

const policy = { allowedHosts: [], allowedOrigins: [] };

test.prop([fc.domain(), fc.nat(65_535)])('lets no domain name in that nobody configured', (host, port) => {
  expect(() => checkHost({ host: `${host}:${port}`, origin: undefined, port }, policy)).toThrow(
    'this server answers to',
  );
});

test.prop([fc.webUrl(), fc.nat(65_535)])('lets no foreign page in', (origin, port) => {
  const asked = { host: `localhost:${port}`, origin: new URL(origin).origin, port };
  expect(() => checkHost(asked, policy)).toThrow('may not call this server');
});
