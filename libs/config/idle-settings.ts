import { type Config, fileKeyOf, type SettingName } from './settings.js';

const ofServer = [
  'embeddingsModel',
  'embeddingsApiKey',
  'embeddingsQueryPrefix',
  'embeddingsPassagePrefix',
  'embeddingsInputTypes',
] as const satisfies readonly SettingName[];

const ofLanguageModel = ['llmModel', 'llmApiKey', 'llmTokensPerDay'] as const satisfies readonly SettingName[];

/** One line for each setting that was given and changes nothing, as another one stands. */
export function idleSettings(
  { embeddings, llmUrl }: Pick<Config, 'embeddings' | 'llmUrl'>,
  origins: Readonly<Record<SettingName, string>>,
): string[] {
  const idle = (names: readonly SettingName[], why: string): string[] =>
    names
      .filter((name) => origins[name] !== 'default')
      .map((name) => `${fileKeyOf(name)} is set (${origins[name]}), but ${why}: it is for the address of a server.`);
  return [
    ...(embeddings === 'e5' || embeddings === 'none' ? idle(ofServer, `embeddings is ${embeddings}`) : []),
    ...(llmUrl === undefined ? idle(ofLanguageModel, 'llm_url is not') : []),
  ];
}
