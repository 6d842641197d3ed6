import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { HindsightError } from '#contract/errors.js';
import { automaticBank } from './automatic-bank.js';
import { defaultHome, homePaths } from './home.js';
import { idleSettings } from './idle-settings.js';
import {
  type Config,
  fileKeyOf,
  flagOf,
  type SettingName,
  settingNames,
  settings,
  unknownVariables,
  variableOf,
} from './settings.js';

export interface LoadedConfig {
  readonly config: Config;
  /** Where each value came from, in words: `flag --bank`, `environment HINDSIGHT_LEDGER_BANK`, `config.json`, `default`. */
  readonly origins: Readonly<Record<SettingName, string>>;
  /** One line each: variables and keys that nothing reads. */
  readonly warnings: readonly string[];
}

export interface ConfigSources {
  /** Values of flags that were given; text as on the command line, or what its parser made of it. */
  readonly flags?: Partial<Record<SettingName, unknown>>;
  readonly env?: NodeJS.ProcessEnv;
  /** The folder that the process starts in: decides what bank `auto` means. */
  readonly folder?: string;
}

interface Given {
  readonly value: unknown;
  readonly origin: string;
  /** How to name it in an error. */
  readonly name: string;
}

/**
 * One configuration: flag, then environment, then config.json in the home, then default. An empty variable
 * counts as not given.
 * @throws HindsightError invalid_config with one line that names the setting, what was given and what is accepted
 */
export function loadConfig(sources: ConfigSources = {}): LoadedConfig {
  const { flags = {}, env = process.env, folder = process.cwd() } = sources;
  const given = (name: SettingName): Given | undefined => {
    if (flags[name] !== undefined) {
      return { value: flags[name], origin: `flag ${flagOf(name)}`, name: flagOf(name) };
    }
    const variable = variableOf(name);
    return env[variable] ? { value: env[variable], origin: `environment ${variable}`, name: variable } : undefined;
  };

  const home = resolve(folder, checked('home', given('home')) ?? defaultHome(env));
  const file = readConfigFile(homePaths(home).config);
  const origins = {} as Record<SettingName, string>;
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of settingNames) {
    const source = given(name) ?? inFile(file, name);
    origins[name] = source?.origin ?? 'default';
    values[name] = checked(name, source ?? fallbackOf(name));
  }
  values.home = home;
  values.masterKeyFile = values.masterKeyFile
    ? resolve(folder, values.masterKeyFile as string)
    : homePaths(home).masterKey;
  if (values.keyBackup !== undefined && values.keyBackup !== 'none')
    values.keyBackup = resolve(folder, values.keyBackup as string);
  if (values.bank === 'auto') {
    const { bank, because } = automaticBank(folder);
    values.bank = checked('bank', { value: bank, origin: '', name: 'The bank that auto means' });
    origins.bank = `${origins.bank}: auto, ${because}`;
  }
  if (values.llmUrl !== undefined && values.llmModel === undefined)
    throw new HindsightError(
      'invalid_config',
      `llm_url is set (${origins.llmUrl}), and llm_model is not. Accepted: ${settings.llmModel.accepts}.`,
      { setting: 'llmModel' },
    );
  const warnings = [
    ...unknownVariables(env).map((name) => `${name} is set, but there is no such setting.`),
    ...Object.keys(file.values)
      .filter((key) => !settingNames.some((name) => name !== 'home' && fileKeyOf(name) === key))
      .map((key) => `${file.path} has ${JSON.stringify(key)}, but there is no such setting.`),
    ...idleSettings(values as unknown as Config, origins),
  ];
  return { config: values as unknown as Config, origins, warnings };
}

function fallbackOf(name: SettingName): Given | undefined {
  const { fallback } = settings[name] as { fallback?: unknown };
  return fallback === undefined ? undefined : { value: fallback, origin: 'default', name };
}

function checked<N extends SettingName>(name: N, source: Given | undefined): Config[N] | undefined {
  if (!source) return undefined;
  const { schema, accepts, ...secrecy } = settings[name] as unknown as {
    schema: z.ZodType<Config[N]>;
    accepts: string;
  } & Secrecy;
  const parsed = schema.safeParse(source.value);
  if (parsed.success) return parsed.data;
  throw new HindsightError(
    'invalid_config',
    `${source.name} is ${shown(source.value, secrecy)}. Accepted: ${accepts}.`,
    { setting: name },
  );
}

interface Secrecy {
  readonly holdsSecrets?: boolean;
  readonly isSecret?: boolean;
}

/** Of what may hold a password only how it begins, of a secret nothing. */
function shown(value: unknown, { holdsSecrets, isSecret }: Secrecy): string {
  if (isSecret) return 'not what is accepted';
  if (!holdsSecrets || typeof value !== 'string') return JSON.stringify(value);
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(value) ?? [];
  return scheme ? JSON.stringify(`${scheme}…`) : 'no URL';
}

interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

function inFile(file: ConfigFile, name: SettingName): Given | undefined {
  const key = fileKeyOf(name);
  const value = name === 'home' ? undefined : file.values[key];
  return value === undefined ? undefined : { value, origin: 'config.json', name: `${key} in ${file.path}` };
}

function readConfigFile(path: string): ConfigFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { path, values: {} };
    throw new HindsightError('invalid_config', `${path} cannot be read: ${message}.`);
  }
  try {
    const values: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof values === 'object' && values !== null && !Array.isArray(values))
      return { path, values: values as Record<string, unknown> };
  } catch (cause) {
    throw new HindsightError('invalid_config', `${path} is no JSON: ${(cause as Error).message}.`);
  }
  throw new HindsightError('invalid_config', `${path} holds no JSON object, for example {"bank": "auto"}.`);
}
