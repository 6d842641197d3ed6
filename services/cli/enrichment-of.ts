import type { Config } from '#config/settings.js';
import { createEnrichment, type Enrichment, type EnrichmentDeps } from '#projector/enrichment/create-enrichment.js';
import { createModelReader } from '#understanding/enrich/model-reader.js';

type Settings = Pick<Config, 'llmUrl' | 'llmModel' | 'llmApiKey' | 'llmTokensPerDay'>;

/** Has the language model that the settings name read what is written; undefined where they name none. */
export function enrichmentOf(
  { llmUrl, llmModel, llmApiKey, llmTokensPerDay }: Settings,
  deps: Omit<EnrichmentDeps, 'reader' | 'tokensPerDay'>,
): Enrichment | undefined {
  if (llmUrl === undefined || llmModel === undefined) return undefined;
  const reader = createModelReader({ url: llmUrl, model: llmModel, apiKey: llmApiKey });
  return createEnrichment({ ...deps, reader, tokensPerDay: llmTokensPerDay });
}
