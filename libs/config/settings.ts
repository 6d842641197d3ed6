import { z } from 'zod';
import { roles } from '#contract/caller.js';

const list = <T extends z.ZodType<string>>(item: T) =>
  z.preprocess(
    (given) =>
      typeof given === 'string'
        ? given
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean)
        : given,
    z.array(item),
  );

const number = z.preprocess(
  (given) => (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
  z.int().min(0).max(65_535),
);

/** A connection string; the error about it shows its scheme only, since it may hold a password. */
const url = (...schemes: readonly string[]) =>
  z.string().refine((given) => schemes.some((scheme) => given.startsWith(`${scheme}://`)));

/** Whatever a person may call a bank: readable, so without control characters. */
export const bankName = z
  .string()
  .min(1)
  .max(512)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .regex(/^[^\u0000-\u001f\u007f]+$/u);

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

interface Setting<T extends z.ZodType> {
  readonly schema: T;
  /** What is accepted, in words: stands in the error about a wrong value. */
  readonly accepts: string;
  /** Absent where the value follows from others (the home, the master key's file). */
  readonly fallback?: z.input<T>;
  readonly about: string;
  /** It may hold a password, so errors do not show it. */
  readonly holdsSecrets?: boolean;
  /** It is one: nothing shows any of it. */
  readonly isSecret?: boolean;
}

function setting<T extends z.ZodType>(of: Setting<T>): Setting<T> {
  return of;
}

/**
 * Every setting that something reads. `logLevel` is HINDSIGHT_LEDGER_LOG_LEVEL in the environment, `log_level` in
 * config.json and --log-level as a flag.
 */
export const settings = {
  profile: setting({
    schema: z.enum(['embedded', 'distributed']),
    accepts: 'embedded or distributed',
    fallback: 'embedded',
    about:
      'what it runs on: embedded is SQLite files in one home, no server; distributed is EventStoreDB, Kafka, PostgreSQL and Redis',
  }),
  home: setting({
    schema: z.string().min(1),
    accepts: 'a folder',
    about: 'the folder that holds the ledger, its keys and its views',
  }),
  bank: setting({
    schema: bankName,
    accepts: 'a name of up to 512 characters, or auto',
    fallback: 'default',
    about: 'whose memories: banks never see each other; auto names it after the git repository of this folder',
  }),
  roles: setting({
    schema: list(z.enum(roles)).refine((given) => given.length > 0),
    accepts: `some of ${roles.join(', ')}, separated by commas`,
    fallback: ['reader', 'writer', 'auditor'],
    about: 'what the client of the stdio server may do',
  }),
  recallRecord: setting({
    schema: z.enum(['relaxed', 'strict']),
    accepts: 'relaxed or strict',
    fallback: 'relaxed',
    about: 'strict: an answer waits until it is on record what was shown',
  }),
  masterKeyFile: setting({
    schema: z.string().min(1),
    accepts: 'a file',
    about: 'the key that opens keys.db; master.key in the home by default',
  }),
  questionDays: setting({
    schema: number.pipe(z.int().max(36_500)),
    accepts: 'days, up to 36500 (0: for ever)',
    fallback: 30,
    about: 'how long what was asked of a recall can be read on record; what was served stays',
  }),
  keyBackup: setting({
    // `--no-key-backup` gives false.
    schema: z.preprocess((given) => (given === false ? 'none' : given), z.string().min(1).optional()),
    accepts: 'a file, or none',
    about: 'the copy of the wrapped keys, made anew whenever the master key moves, as at each erasure',
  }),
  sealEvents: setting({
    schema: z.preprocess(
      (given) => (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
      z.int().min(0).max(1_000_000),
    ),
    accepts: 'events, up to 1000000 (0: only by `hindsight-ledger seal`)',
    fallback: 1_000,
    about: 'after how many events of a process the ledger is sealed, and whether it is when the process exits',
  }),
  sealMinutes: setting({
    schema: number.pipe(z.int().max(1440)),
    accepts: 'minutes, up to 1440 (0: not by time)',
    fallback: 10,
    about: 'how long events of a process that stays wait for their seal',
  }),
  httpPort: setting({
    schema: number,
    accepts: 'a port from 0 to 65535 (0: any free one)',
    fallback: 7420,
    about: 'where `serve` listens',
  }),
  httpHost: setting({
    schema: z.string().min(1),
    accepts: 'a host name or address',
    fallback: '127.0.0.1',
    about: 'the address that `serve` listens on',
  }),
  httpAllowedHosts: setting({
    schema: list(z.string()),
    accepts: 'host names, separated by commas',
    fallback: [],
    about: 'further Host headers that `serve` accepts',
  }),
  httpAllowedOrigins: setting({
    schema: list(z.string()),
    accepts: 'origins such as https://app.example, separated by commas',
    fallback: [],
    about: 'Origin headers that `serve` accepts from browsers',
  }),
  eventstoreUrl: setting({
    schema: url('esdb', 'esdb+discover'),
    accepts: 'esdb://… or esdb+discover://…',
    about: 'where the events are, in the distributed profile',
    holdsSecrets: true,
  }),
  kafkaBrokers: setting({
    schema: list(z.string().regex(/^[^\s:]+:\d+$|^\[[0-9a-f:]+\]:\d+$/i)),
    accepts: 'brokers as host:port, separated by commas',
    about: 'what carries events from the relay to the projectors',
  }),
  kafkaPartitions: setting({
    schema: number.pipe(z.int().min(1).max(1024)),
    accepts: 'a number from 1 to 1024',
    fallback: 8,
    about: 'into how many partitions banks are spread; chosen once, when the feed and the views are made',
  }),
  postgresUrl: setting({
    schema: url('postgres', 'postgresql'),
    accepts: 'postgres://user:password@host:5432/database',
    about: 'the database of the views; may be lost, and is rebuilt from the ledger',
    holdsSecrets: true,
  }),
  keysUrl: setting({
    schema: url('postgres', 'postgresql'),
    accepts: 'postgres://user:password@host:5432/database, another one than that of the views',
    about: 'the database of the wrapped keys and of access tokens; must not be lost',
    holdsSecrets: true,
  }),
  redisUrl: setting({
    schema: url('redis', 'rediss'),
    accepts: 'redis://host:6379 or rediss://…',
    about: 'what is hot: may be emptied at any time',
    holdsSecrets: true,
  }),
  ingestUrl: setting({
    schema: list(z.string().regex(/^[^\s:]+:\d+$|^\[[0-9a-f:]+\]:\d+$/i)),
    accepts: 'ingest services as host:port, separated by commas',
    fallback: ['127.0.0.1:7421'],
    about: 'where the query service passes writes to',
  }),
  ingestHost: setting({
    schema: z.string().min(1),
    accepts: 'a host name or address',
    fallback: '127.0.0.1',
    about: 'the address that the ingest service listens on',
  }),
  ingestPort: setting({
    schema: number,
    accepts: 'a port from 0 to 65535 (0: any free one)',
    fallback: 7421,
    about: 'the port that the ingest service listens on',
  }),
  embeddings: setting({
    schema: z.union([z.enum(['e5', 'none']), url('http', 'https').refine((given) => URL.canParse(given))]),
    accepts: 'e5 (the model that ships), none, or the http(s) address of an OpenAI-compatible server',
    fallback: 'e5',
    about:
      'what finds memories by meaning: e5 runs here; a server is sent what is written and asked, unsealed; none leaves keywords',
    holdsSecrets: true,
  }),
  embeddingsModel: setting({
    schema: z.string().min(1).max(200).optional(),
    accepts: 'the name of a model, as the server of the embeddings calls it',
    about: 'which model of that server makes embeddings; the only one that it serves by default',
  }),
  embeddingsApiKey: setting({
    schema: z
      .string()
      .min(1)
      .regex(/^[\x21-\x7e]+$/)
      .optional(),
    accepts: 'the key alone, without blanks',
    about: 'the key that the server of the embeddings wants; none by default',
    isSecret: true,
  }),
  embeddingsQueryPrefix: setting({
    schema: z.string().max(500),
    accepts: 'up to 500 characters',
    fallback: '',
    about: 'what a model wants to read in front of a question, such as `query: `',
  }),
  embeddingsPassagePrefix: setting({
    schema: z.string().max(500),
    accepts: 'up to 500 characters',
    fallback: '',
    about: 'what a model wants to read in front of a text that is searched, such as `passage: `',
  }),
  embeddingsInputTypes: setting({
    schema: list(z.string().regex(/^[\w.-]{1,50}$/)).refine(({ length }) => length === 0 || length === 2),
    accepts:
      'two words, separated by a comma: the `input_type` of a question and that of a text, such as query,passage',
    fallback: [],
    about: 'how a server is told questions from texts, where it wants that in the field `input_type`',
  }),
  llmUrl: setting({
    schema: url('http', 'https')
      .refine((given) => URL.canParse(given))
      .optional(),
    accepts: 'the http(s) address of an OpenAI-compatible server',
    about:
      'a language model that reads what is written for names, times and relations beside the rules; it is sent memories, unsealed; none by default',
    holdsSecrets: true,
  }),
  llmModel: setting({
    schema: z.string().min(1).max(200).optional(),
    accepts: 'the name of a model, as the server of the language model calls it',
    about: 'which model of that server reads; it has to be named',
  }),
  llmApiKey: setting({
    schema: z
      .string()
      .min(1)
      .regex(/^[\x21-\x7e]+$/)
      .optional(),
    accepts: 'the key alone, without blanks',
    about: 'the key that the server of the language model wants; none by default',
    isSecret: true,
  }),
  llmTokensPerDay: setting({
    schema: z.preprocess(
      (given) => (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
      z.int().min(0).max(1_000_000_000),
    ),
    accepts: 'tokens, up to 1000000000 (0: no limit)',
    fallback: 1_000_000,
    about:
      'how many tokens the language model may read and write within any 24 hours, over all banks; what is left waits',
  }),
  vectorIndex: setting({
    schema: z.enum(['off', 'on']),
    accepts: 'off or on',
    fallback: 'off',
    about:
      'on servers: whether vectors also stand in PostgreSQL for pgvector to search, unsealed, so that an erasure leaves them in pages and logs for a while; no answer needs it',
  }),
  rateLimit: setting({
    schema: z.preprocess(
      (given) => (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
      z.int().min(0).max(1_000_000),
    ),
    accepts: 'calls a minute, up to 1000000 (0: no limit)',
    fallback: 0,
    about: 'how many calls a minute each access token may make, over all query services',
  }),
  otlpUrl: setting({
    schema: url('http', 'https'),
    accepts: 'http://host:4318 or https://…',
    about: 'where traces are sent to (OpenTelemetry, OTLP over HTTP); none by default',
    holdsSecrets: true,
  }),
  logLevel: setting({
    schema: z.enum(logLevels),
    accepts: logLevels.join(', '),
    fallback: 'info',
    about: 'how much is logged to stderr; never content, only ids',
  }),
} as const;

export type SettingName = keyof typeof settings;
export type Config = { readonly [K in SettingName]: z.output<(typeof settings)[K]['schema']> };

export const settingNames = Object.keys(settings) as SettingName[];

const prefix = 'HINDSIGHT_LEDGER_';
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const variableOf = (name: SettingName) => `${prefix}${snake(name).toUpperCase()}`;
export const fileKeyOf = (name: SettingName) => snake(name);
export const flagOf = (name: SettingName) => `--${snake(name).replaceAll('_', '-')}`;

/** Variables of ours that nothing reads: most likely misspelt. */
export function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const known = new Set(settingNames.map(variableOf));
  return Object.keys(env).filter((name) => name.startsWith(prefix) && !known.has(name));
}
