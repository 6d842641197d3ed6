import { expect, it, vi } from 'vitest';
import { connect } from './connect.js';

it.each([
  ['an option that is not known', 'esdb://admin:s3cret@localhost:2113?tls=true&colour=blue'],
  ['what the client cannot do', 'esdb://admin:s3cret@localhost:2113?tls=true&tlsVerifyCert=false'],
  ['another protocol', 'http://admin:s3cret@localhost:2113'],
  ['a port that is none', 'esdb://admin:s3cret@localhost:s3cret'],
  ['a value of another kind', 'esdb://admin:s3cret@localhost:2113?tls=s3cret'],
  ['a certificate that is not there', 'esdb://admin:s3cret@localhost:2113?tls=true&tlsCAFile=/nowhere/ca.pem'],
])('refuses %s, and neither says nor prints the password', (_, connectionString) => {
  const printed = vi.spyOn(console, 'warn').mockImplementation(() => {});
  let told: unknown;
  try {
    connect(connectionString);
  } catch (error) {
    told = error;
  }
  expect(told).toMatchObject({ code: 'invalid_config' });
  expect(JSON.stringify([String(told), told, (told as Error).cause])).not.toContain('s3cret');
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});

it.each([
  'esdb://localhost:2113?tls=false',
  'esdb+discover://admin:pass%40word@cluster.example:2113?tls=true&nodePreference=leader&keepAlive_Interval=10000',
  'esdb://admin:what?@a:1,b:2,c:3?tls=true&defaultDeadline=5000',
])('accepts %s', async (connectionString) => {
  await connect(connectionString).close();
});
