import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.js';
import { shownSetting } from './shown-setting.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hl-config-'));
});

const load = (flags: Record<string, unknown> = {}, env: Record<string, string> = {}) =>
  loadConfig({ flags, env: { HINDSIGHT_LEDGER_HOME: home, ...env }, folder: home });

const inFile = (values: unknown) => writeFileSync(join(home, 'config.json'), JSON.stringify(values));

describe('precedence', () => {
  it('takes the flag before the environment before the file before the default, and says which', () => {
    expect(load().config.bank).toBe('default');
    expect(load().origins.bank).toBe('default');
    inFile({ bank: 'from-file' });
    expect(load().config.bank).toBe('from-file');
    expect(load().origins.bank).toBe('config.json');
    const env = { HINDSIGHT_LEDGER_BANK: 'from-env' };
    expect(load({}, env).config.bank).toBe('from-env');
    expect(load({}, env).origins.bank).toBe('environment HINDSIGHT_LEDGER_BANK');
    expect(load({ bank: 'from-flag' }, env).config.bank).toBe('from-flag');
    expect(load({ bank: 'from-flag' }, env).origins.bank).toBe('flag --bank');
  });

  it('counts an empty variable as not given', () => {
    expect(load({}, { HINDSIGHT_LEDGER_BANK: '' }).config.bank).toBe('default');
  });

  it('reads numbers and lists as a shell gives them and as JSON gives them', () => {
    expect(load({}, { HINDSIGHT_LEDGER_HTTP_PORT: '8080' }).config.httpPort).toBe(8080);
    inFile({ http_port: 8081, roles: ['reader'] });
    expect(load().config).toMatchObject({ httpPort: 8081, roles: ['reader'] });
    expect(load({ roles: 'reader, admin' }).config.roles).toEqual(['reader', 'admin']);
  });

  it('finds the home by flag, variable and platform', () => {
    expect(load().config.home).toBe(home);
    expect(load({ home: 'sub' }).config.home).toBe(join(home, 'sub'));
    expect(loadConfig({ env: { XDG_DATA_HOME: home }, folder: home }).config.home).toBe(join(home, 'hindsight-ledger'));
    expect(load({ home: 'sub' }).config.masterKeyFile).toBe(join(home, 'sub', 'master.key'));
  });
});

describe('a wrong value', () => {
  it.each([
    ['HINDSIGHT_LEDGER_HTTP_PORT', '70000', /HINDSIGHT_LEDGER_HTTP_PORT is "70000".*0 to 65535/],
    ['HINDSIGHT_LEDGER_LOG_LEVEL', 'loud', /HINDSIGHT_LEDGER_LOG_LEVEL is "loud".*silent/],
    ['HINDSIGHT_LEDGER_ROLES', 'reader,king', /HINDSIGHT_LEDGER_ROLES is "reader,king".*admin/],
    ['HINDSIGHT_LEDGER_PROFILE', 'clustered', /"clustered".*embedded or distributed/],
    ['HINDSIGHT_LEDGER_POSTGRES_URL', 'mysql://ann:secret@db', /POSTGRES_URL is "mysql:\/\/…"/],
    ['HINDSIGHT_LEDGER_KEYS_URL', 'ann:secret@db', /KEYS_URL is no URL/],
    ['HINDSIGHT_LEDGER_PROFILE', 'cloud', /HINDSIGHT_LEDGER_PROFILE is "cloud"/],
    ['HINDSIGHT_LEDGER_RECALL_RECORD', 'maybe', /relaxed or strict/],
    ['HINDSIGHT_LEDGER_BANK', 'a\nb', /HINDSIGHT_LEDGER_BANK/],
    ['HINDSIGHT_LEDGER_EMBEDDINGS', 'e6', /HINDSIGHT_LEDGER_EMBEDDINGS is .*e5.*none.*http/],
    ['HINDSIGHT_LEDGER_EMBEDDINGS', 'http://', /HINDSIGHT_LEDGER_EMBEDDINGS is "http:\/\/…"/],
    ['HINDSIGHT_LEDGER_EMBEDDINGS_INPUT_TYPES', 'query', /INPUT_TYPES is "query".*two words/],
    ['HINDSIGHT_LEDGER_EMBEDDINGS_API_KEY', 'sk-1 sk-2', /EMBEDDINGS_API_KEY is not what is accepted/],
    ['HINDSIGHT_LEDGER_LLM_URL', 'https://ann:secret@', /LLM_URL is "https:\/\/…"/],
    ['HINDSIGHT_LEDGER_LLM_TOKENS_PER_DAY', 'many', /LLM_TOKENS_PER_DAY is "many".*0: no limit/],
  ])('in %s stops the start with one line that names it', (name, value, line) => {
    expect(() => load({}, { [name]: value })).toThrow(line);
    expect(() => load({}, { [name]: value })).not.toThrow(/\n/);
  });

  it('in config.json names the key and the file', () => {
    inFile({ http_port: 'many' });
    expect(() => load()).toThrow(/http_port in .*config\.json is "many"/);
  });

  it('in a config.json that is no JSON says where it stops making sense', () => {
    writeFileSync(join(home, 'config.json'), '{"bank": ');
    expect(() => load()).toThrow(/config\.json is no JSON/);
    writeFileSync(join(home, 'config.json'), '[]');
    expect(() => load()).toThrow(/holds no JSON object/);
  });
});

describe('embeddings', () => {
  it('are e5 unless something else is said', () => {
    expect(load().config).toMatchObject({ embeddings: 'e5', embeddingsQueryPrefix: '', embeddingsInputTypes: [] });
  });

  it('may come from a server, with the blank at the end of a prefix', () => {
    inFile({ embeddings: 'http://127.0.0.1:8000/v1', embeddings_query_prefix: 'query: ' });
    const { config, warnings } = load({}, { HINDSIGHT_LEDGER_EMBEDDINGS_INPUT_TYPES: 'query, passage' });
    expect(config).toMatchObject({ embeddingsQueryPrefix: 'query: ', embeddingsInputTypes: ['query', 'passage'] });
    expect(warnings).toEqual([]);
  });

  it('warn of what is only for a server', () => {
    const { warnings } = load({}, { HINDSIGHT_LEDGER_EMBEDDINGS: 'none', HINDSIGHT_LEDGER_EMBEDDINGS_MODEL: 'm' });
    expect(warnings).toEqual([expect.stringMatching(/^embeddings_model is set .*but embeddings is none/)]);
  });
});

describe('a language model', () => {
  it('is asked where a server and its model are named, within a million tokens a day', () => {
    expect(load().config).toMatchObject({ llmUrl: undefined, llmModel: undefined, llmTokensPerDay: 1_000_000 });
    const env = { HINDSIGHT_LEDGER_LLM_URL: 'http://127.0.0.1:8000/v1', HINDSIGHT_LEDGER_LLM_MODEL: 'small' };
    const { config, warnings } = load({}, { ...env, HINDSIGHT_LEDGER_LLM_TOKENS_PER_DAY: '0' });
    expect(config).toMatchObject({ llmUrl: env.HINDSIGHT_LEDGER_LLM_URL, llmModel: 'small', llmTokensPerDay: 0 });
    expect(warnings).toEqual([]);
  });

  it('has to be named', () => {
    const env = { HINDSIGHT_LEDGER_LLM_URL: 'http://127.0.0.1:8000/v1' };
    expect(() => load({}, env)).toThrow(
      /llm_url is set \(environment HINDSIGHT_LEDGER_LLM_URL\), and llm_model is not/,
    );
  });

  it('is warned of where there is no server, and its key is shown nowhere', () => {
    const { config, warnings } = load({}, { HINDSIGHT_LEDGER_LLM_API_KEY: 'sk-1' });
    expect(warnings).toEqual([expect.stringMatching(/^llm_api_key is set .*but llm_url is not/)]);
    expect(shownSetting('llmApiKey', config.llmApiKey)).toBe('***');
    expect(shownSetting('llmUrl', 'https://ann:secret@host/v1')).not.toContain('secret');
  });
});

describe('what nothing reads', () => {
  it('is warned of, in the environment and in the file', () => {
    inFile({ banc: 'x', home: '/elsewhere' });
    const { warnings } = load({}, { HINDSIGHT_LEDGER_BANC: 'x' });
    expect(warnings).toHaveLength(3);
    expect(warnings.join('\n')).toMatch(/HINDSIGHT_LEDGER_BANC.*"banc".*"home"/s);
  });
});
