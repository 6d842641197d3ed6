import { hash } from 'node:crypto';
import { z } from 'zod';
import { ask, type Patience } from '../embeddings/openai/ask.js';
import { Trouble } from '../embeddings/openai/trouble.js';
import { shippedVocabulary, type Vocabulary } from '../relations/vocabulary.js';
import { modelAnswer, modelAnswerSchema } from './answer.js';
import { chatEndpointOf } from './chat-endpoint.js';
import { checked, type Findings } from './checked.js';
import { instructions, instructionsVersion } from './instructions.js';

/** Characters of a text that a model is given: beyond that its cost grows and what it finds does not. */
const longestText = 8_000;
/** Tokens of an answer: 64 findings of each sort take fewer. */
const longestAnswer = 3_000;
/** A model on a processor writes some ten tokens a second. */
const patience: Patience = { try: 120_000, all: 300_000 };

export interface ModelReaderSettings {
  /** Of an OpenAI-compatible server. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly patience?: Patience | undefined;
}

export interface TextToRead {
  readonly text: string;
  /** ISO 8601: when it was said. */
  readonly at: string;
  readonly speaker?: string | undefined;
  /** By default the packs that ship. */
  readonly vocabulary?: Vocabulary | undefined;
}

export interface ModelReading {
  readonly findings: Findings;
  /** How many of its findings the text does not bear out. */
  readonly dropped: number;
  /** What the server says that it cost; 0 where it says nothing. */
  readonly tokens: { readonly read: number; readonly written: number };
}

/** Reads texts with a language model. What it answers is bound to a schema and held against the text. */
export interface ModelReader {
  /** Of the server, the model and what it is told: 16 hex digits. */
  readonly fingerprint: string;
  /** @throws Trouble `away`, `setup`, `refused` or `unusable` · the signal's reason */
  read(given: TextToRead, signal: AbortSignal): Promise<ModelReading>;
}

const completion = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish() }), finish_reason: z.string().nullish() }))
    .min(1),
  usage: z.object({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() }).nullish(),
});

/** How an answer is bound to the schema: not every server takes it, so the looser form comes next, and then the words alone. */
const forms = [
  { type: 'json_schema', json_schema: { name: 'findings', strict: true, schema: modelAnswerSchema } },
  { type: 'json_object' },
  undefined,
] as const;

export function createModelReader(settings: ModelReaderSettings): ModelReader {
  const { endpoint, completions } = chatEndpointOf(settings.url, settings.apiKey);
  const asking = { endpoint, patience: settings.patience ?? patience };
  /** The first of `forms` that the server was not seen to refuse. */
  let form = 0;

  async function complete(messages: readonly object[], signal: AbortSignal): Promise<unknown> {
    for (;;) {
      const tried = form;
      const format = forms[tried];
      const body = {
        model: settings.model,
        messages,
        temperature: 0,
        max_tokens: longestAnswer,
        ...(format ? { response_format: format } : {}),
      };
      try {
        return await ask(completions, body, { ...asking, signal });
      } catch (error) {
        if (!(error instanceof Trouble) || error.kind !== 'refused' || tried === forms.length - 1) throw error;
        form = Math.max(form, tried + 1);
      }
    }
  }

  return {
    fingerprint: hash('sha256', JSON.stringify([endpoint.identity, settings.model, instructionsVersion]), 'hex').slice(
      0,
      16,
    ),
    async read({ text, at, speaker, vocabulary = shippedVocabulary() }, signal) {
      const given = text.length > longestText ? text.slice(0, longestText).toWellFormed() : text.toWellFormed();
      const answer = await complete(
        [
          { role: 'system', content: instructions({ at, speaker, vocabulary }) },
          { role: 'user', content: JSON.stringify({ text: given }) },
        ],
        signal,
      );
      const { said, tokens } = contentOf(answer);
      return { ...checked(answerOf(said), given, vocabulary), tokens };
    },
  };
}

function contentOf(answer: unknown): { said: string; tokens: ModelReading['tokens'] } {
  const parsed = completion.safeParse(answer);
  if (!parsed.success) throw new Trouble('unusable', 'it answered with what is no chat completion');
  const { choices, usage } = parsed.data;
  const [{ message, finish_reason: reason }] = choices as [(typeof choices)[number]];
  if (reason === 'length') throw new Trouble('unusable', `its answer did not end within ${longestAnswer} tokens`);
  return {
    said: message.content ?? '',
    tokens: { read: usage?.prompt_tokens ?? 0, written: usage?.completion_tokens ?? 0 },
  };
}

/** Models like to put their JSON into a fence, though nobody asked them to. */
const fence = /^\s*```(?:json)?\s*\n?([\s\S]*?)\n?```\s*$/;

function answerOf(said: string): z.infer<typeof modelAnswer> {
  let json: unknown;
  try {
    json = JSON.parse(fence.exec(said)?.[1] ?? said);
  } catch {
    throw new Trouble('unusable', 'the model answered with what is no JSON');
  }
  const parsed = modelAnswer.safeParse(json);
  if (parsed.success) return parsed.data;
  // Where, and not what: what a model says may be what somebody wrote.
  const where = parsed.error.issues
    .slice(0, 3)
    .map(({ path }) => path.filter((each) => typeof each === 'string').join('.') || 'the whole');
  throw new Trouble('unusable', `the model's answer does not fit the schema: ${[...new Set(where)].join(', ')}`);
}
