import { type Config, fileKeyOf, type SettingName } from './settings.js';

const ofServer = [
  'embeddingsModel',
  'embeddingsApiKey',
  'embeddingsQueryPrefix',
  'embeddingsPassagePrefix',
  'embeddingsInputTypes',
] as const satisfies readonly SettingName[];

/** One line for each setting that was given and changes nothing, as another one stands. */
export function idleSettings(
  { embeddings }: Pick<Config, 'embeddings'>,
  origins: Readonly<Record<SettingName, string>>,
): string[] {
  if (embeddings !== 'e5' && embeddings !== 'none') return [];
  return ofServer
    .filter((name) => origins[name] !== 'default')
    .map(
      (name) =>
        `${fileKeyOf(name)} is set (${origins[name]}), but embeddings is ${embeddings}: it is for the address of a server.`,
    );
}
