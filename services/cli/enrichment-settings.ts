import type { Config } from '#config/settings.js';

/** What `stats` tells of a language model beside what is on record of it; undefined where the settings name none. */
export function enrichmentSettings({
  llmUrl,
  llmModel,
  llmTokensPerDay,
}: Pick<Config, 'llmUrl' | 'llmModel' | 'llmTokensPerDay'>):
  | { readonly model: string; readonly tokensPerDay: number }
  | undefined {
  return llmUrl === undefined || llmModel === undefined
    ? undefined
    : { model: llmModel, tokensPerDay: llmTokensPerDay };
}
