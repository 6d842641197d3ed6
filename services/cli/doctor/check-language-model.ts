import type { Config } from '#config/settings.js';
import { createModelReader } from '#understanding/enrich/model-reader.js';
import { type Looked, warning, well, wrong } from './finding.js';

/** Milliseconds that a server gets: one that loads its model at the first question takes a while. */
const patience = 60_000;
/** Nobody's words but ours. */
const sentence = 'Ada Lovelace moved to Lisbon.';

/** The language model that reads what is written: whether it answers, and finds the names in a sentence of ours. Nothing where none is named. */
export async function checkLanguageModel(
  { llmUrl, llmModel, llmApiKey }: Pick<Config, 'llmUrl' | 'llmModel' | 'llmApiKey'>,
  within = patience,
): Promise<Looked[]> {
  if (llmUrl === undefined || llmModel === undefined) return [];
  const { protocol, hostname, host } = new URL(llmUrl);
  const reader = createModelReader({
    url: llmUrl,
    model: llmModel,
    apiKey: llmApiKey,
    patience: { try: within, all: within },
  });
  const looked: Looked[] = [];
  try {
    const began = performance.now();
    const asked = { text: sentence, at: '2026-01-05T12:00:00.000Z' };
    const { findings } = await reader.read(asked, AbortSignal.timeout(within));
    const took = ((performance.now() - began) / 1000).toFixed(1);
    const names = new Set(findings.entities.map(({ name }) => name));
    looked.push(
      names.has('Lisbon')
        ? well('language model', `${llmModel} at ${host} reads a sentence in ${took} s`)
        : warning(
            'language model',
            `${llmModel} at ${host} answers, and does not find a city in a short sentence.`,
            'Choose a larger model: this one costs, and adds little.',
          ),
    );
  } catch (error) {
    looked.push(
      wrong(
        'language model',
        `The language model ${llmModel} at ${host}: ${(error as Error).message}.`,
        'Start its server, or correct HINDSIGHT_LEDGER_LLM_URL and what belongs to it. Rules are enough meanwhile.',
      ),
    );
  }
  if (protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    looked.push(
      warning(
        'language model',
        `What is written is sent to ${hostname} unencrypted.`,
        'Use an https address, unless the network in between is your own.',
      ),
    );
  return looked;
}
