import { hash } from 'node:crypto';
import { z } from 'zod';
import { ask, type Patience } from '../embeddings/openai/ask.js';
import { Trouble } from '../embeddings/openai/trouble.js';
import { shippedVocabulary, type Vocabulary } from '../relations/vocabulary.js';
import { tokenBound } from '../tokens/token-bound.js';
import { modelAnswer, modelAnswerSchema } from './answer.js';
import { chatEndpointOf } from './chat-endpoint.js';
import { checked, type Findings } from './checked.js';
import { instructions, instructionsVersion } from './instructions.js';

/** Characters of a text that a model is given: beyond that its cost grows and what it finds does not. */
const longestText = 8_000;
/** Tokens of an answer: 64 findings of each sort take fewer. */
const longestAnswer = 3_000;
/** Tokens that a message takes beside its words. */
const around = 8;
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
  /** What the server says that it cost; a bound of ours where it says nothing. */
  readonly tokens: { readonly read: number; readonly written: number };
}

/** Reads texts with a language model. What it answers is bound to a schema and held against the text. */
export interface ModelReader {
  /** Of the server, the model and what it is told: 16 hex digits. */
  readonly fingerprint: string;
  /** As its server calls it. */
  readonly model: string;
  /** Tokens that reading a text takes at most. */
  bound(given: TextToRead): number;
  /** @throws Trouble `away`, `setup`, `refused` or `unusable` · the signal's reason */
  read(given: TextToRead, signal: AbortSignal): Promise<ModelReading>;
}

const count = z.int().min(0);
const completion = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish() }), finish_reason: z.string().nullish() }))
    .min(1),
  usage: z.object({ prompt_tokens: count.optional(), completion_tokens: count.optional() }).nullish(),
});

const usual = { temperature: 0, max_tokens: longestAnswer };

/**
 * How an answer is asked for: bound to the schema, and where the server does not take that, with the names that models which reason take, as a
 * JSON object, and by the words alone.
 */
function formsOfAsking(): readonly object[] {
  const response_format = {
    type: 'json_schema',
    json_schema: { name: 'findings', strict: true, schema: modelAnswerSchema() },
  };
  return [
    { ...usual, response_format },
    { max_completion_tokens: longestAnswer, response_format },
    { ...usual, response_format: { type: 'json_object' } },
    usual,
  ];
}

export function createModelReader(settings: ModelReaderSettings): ModelReader {
  const { endpoint, completions } = chatEndpointOf(settings.url, settings.apiKey);
  const asking = { endpoint, patience: settings.patience ?? patience };
  const forms = formsOfAsking();
  /** Some servers put the schema in front of the model, and count it. */
  const ofSchema = tokenBound(JSON.stringify(forms[0]));
  /** The first of `forms` that the server took after it had refused those before it. */
  let taken = 0;

  async function complete(messages: readonly object[], signal: AbortSignal): Promise<unknown> {
    for (let form = taken; ; form++) {
      try {
        const answer = await ask(
          completions,
          { model: settings.model, messages, ...forms[form]! },
          { ...asking, signal },
        );
        taken = Math.max(taken, form);
        return answer;
      } catch (error) {
        // A text that is refused in every form says nothing about the server.
        if (!(error instanceof Trouble) || error.kind !== 'refused' || form === forms.length - 1) throw error;
      }
    }
  }

  function messagesFor({ text, at, speaker, vocabulary = shippedVocabulary() }: TextToRead) {
    const given = text.length > longestText ? text.slice(0, longestText).toWellFormed() : text.toWellFormed();
    const messages = [
      { role: 'system', content: instructions({ at, speaker, vocabulary }) },
      { role: 'user', content: JSON.stringify({ text: given }) },
    ];
    return {
      given,
      messages,
      tokens: messages.reduce((sum, { content }) => sum + tokenBound(content) + around, ofSchema),
    };
  }

  return {
    fingerprint: hash('sha256', JSON.stringify([endpoint.identity, settings.model, instructionsVersion]), 'hex').slice(
      0,
      16,
    ),
    model: settings.model,
    bound: (asked) => messagesFor(asked).tokens + longestAnswer,
    async read(asked, signal) {
      const { given, messages, tokens: bound } = messagesFor(asked);
      const { said, tokens } = contentOf(await complete(messages, signal), bound);
      return { ...checked(answerOf(said), given, asked.vocabulary ?? shippedVocabulary(), asked.speaker), tokens };
    },
  };
}

/** @param bound tokens that it read at most, where the server does not say how many they were */
function contentOf(answer: unknown, bound: number): { said: string; tokens: ModelReading['tokens'] } {
  const parsed = completion.safeParse(answer);
  if (!parsed.success) throw new Trouble('unusable', 'it answered with what is no chat completion');
  const { choices, usage } = parsed.data;
  const [{ message, finish_reason: reason }] = choices as [(typeof choices)[number]];
  if (reason === 'length') throw new Trouble('unusable', `its answer did not end within ${longestAnswer} tokens`);
  const said = message.content ?? '';
  return {
    said,
    tokens: { read: usage?.prompt_tokens ?? bound, written: usage?.completion_tokens ?? tokenBound(said) },
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
