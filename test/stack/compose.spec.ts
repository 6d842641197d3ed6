import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingNames, variableOf } from '#config/settings.js';
import { composedReach, composedServices, withAddresses } from './compose.js';

const example = readFileSync(new URL('../../infra/.env.example', import.meta.url), 'utf8');
const required = [...example.matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => name!);
const secrets = Object.fromEntries(required.map((name) => [name, `secret-${name}`]));

describe('infra/docker-compose.yml', () => {
  it('needs each of the passwords that .env.example leaves empty', () => {
    expect(required.length).toBeGreaterThan(4);
    for (const name of required) {
      const { [name]: _left, ...others } = secrets;
      expect(() => composedServices(others)).toThrow(`${name}: set it in .env`);
    }
  });

  it('runs each role once, in the distributed profile', () => {
    const services = composedServices(secrets);
    expect(services.map(({ name }) => name).sort()).toEqual(['ingest', 'projector', 'query', 'relay']);
    for (const { name, command, environment } of services) {
      expect(command).toEqual(['serve', '--role', name]);
      expect(environment.HINDSIGHT_LEDGER_PROFILE).toBe('distributed');
    }
  });

  it('sets no variable that nothing reads', () => {
    const known = settingNames.map(variableOf);
    for (const { environment } of composedServices(secrets))
      expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('lets one role write the master key, and gives the owner’s password of the views to the projector alone', () => {
    const services = composedServices(secrets);
    expect(services.filter(({ homeIsReadOnly }) => !homeIsReadOnly).map(({ name }) => name)).toEqual(['ingest']);
    const owning = services.filter(({ environment }) =>
      Object.values(environment).some((value) => value.includes(secrets.VIEWS_OWNER_PASSWORD!)),
    );
    expect(owning.map(({ name }) => name)).toEqual(['projector']);
  });

  it('lets out only those who speak to models, of which one is spoken to from the host', () => {
    const reach = composedReach(secrets);
    expect(reach).toHaveLength(9);
    const outside = reach.filter(({ reachesOutside }) => reachesOutside).map(({ name }) => name);
    const models = ['HINDSIGHT_LEDGER_EMBEDDINGS', 'HINDSIGHT_LEDGER_LLM_URL'];
    const speaking = composedServices(secrets).filter(({ environment }) => models.some((name) => name in environment));
    expect(outside.sort()).toEqual(['projector', 'query']);
    expect(speaking.map(({ name }) => name).sort()).toEqual(outside);
    expect(reach.filter(({ published }) => published.length > 0)).toEqual([
      { name: 'query', published: ['127.0.0.1:7420:7420'], reachesOutside: true },
    ]);
  });

  it('waits in an order that ends', () => {
    const services = new Map(composedServices(secrets).map((service) => [service.name, service]));
    const depth = (name: string, seen: readonly string[] = []): number => {
      expect(seen).not.toContain(name);
      const waited = Object.keys(services.get(name)?.waitsFor ?? {});
      return 1 + Math.max(0, ...waited.map((each) => depth(each, [...seen, name])));
    };
    expect(depth('query')).toBeGreaterThan(depth('ingest'));
  });

  it('names its engines where other addresses can be put', () => {
    const [ingest] = composedServices(secrets);
    const environment = withAddresses(ingest!.environment, { 'keys:5432': '127.0.0.1:1', 'kafka:9092': '127.0.0.1:2' });
    expect(environment).toMatchObject({
      HINDSIGHT_LEDGER_KEYS_URL: 'postgres://hindsight_keys:secret-KEYS_PASSWORD@127.0.0.1:1/hindsight_keys',
      HINDSIGHT_LEDGER_KAFKA_BROKERS: '127.0.0.1:2',
    });
  });
});
