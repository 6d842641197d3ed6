import type { EmbeddingRole, VectorSpace } from '../embedder.js';
import { type Asking, ask } from './ask.js';
import { nameOfSpace, probeText } from './probe.js';
import { readAnswer } from './read-answer.js';
import { Trouble } from './trouble.js';

/** How a server is told whether a text is asked with or searched for: by words in front of it, by a field of the request, or not at all. */
export interface RoleForm {
  readonly prefix: string;
  /** The request's `input_type`. */
  readonly inputType?: string | undefined;
}

export type RoleForms = Readonly<Record<EmbeddingRole, RoleForm>>;

/** What answers, as it was found: its space by the name that it has here, and what it makes of the probe in each role. */
export interface Identity {
  readonly space: VectorSpace;
  readonly model: string | undefined;
  readonly probes: Readonly<Record<EmbeddingRole, Float32Array>>;
}

interface Request {
  readonly form: RoleForm;
  readonly model: string | undefined;
}

/** One request. @throws Trouble */
export async function vectorsOf(
  texts: readonly string[],
  { form, model }: Request,
  asking: Asking,
): Promise<Float32Array[]> {
  const body = {
    input: texts.map((text) => form.prefix + text),
    ...(model === undefined ? {} : { model }),
    ...(form.inputType === undefined ? {} : { input_type: form.inputType }),
  };
  return readAnswer(await ask(asking.endpoint.embeddings, body, asking), texts.length);
}

/**
 * Finds out what answers: the model where none was named, its dimensions, its space.
 * @param model as the settings name it
 * @throws Trouble
 */
export async function identify(model: string | undefined, forms: RoleForms, given: Asking): Promise<Identity> {
  const asking = { ...given, harmless: true };
  const served = model ?? (await onlyModel(asking));
  const probe = async (role: EmbeddingRole) =>
    (await vectorsOf([probeText], { form: forms[role], model: served }, asking))[0]!;
  const probes = { passage: await probe('passage'), query: await probe('query') };
  if (probes.passage.length !== probes.query.length)
    throw new Trouble(
      'setup',
      `it answers questions with ${probes.query.length} dimensions and texts with ${probes.passage.length}`,
    );
  const space = nameOfSpace([asking.endpoint.identity, served ?? '', forms], probes.passage);
  return { space, model: served, probes };
}

/** The one model that is served; undefined where the server does not say. @throws Trouble setup where there are several */
async function onlyModel(asking: Asking): Promise<string | undefined> {
  const listed = await ask(asking.endpoint.models, undefined, asking).catch((error: unknown) => {
    if (error instanceof Trouble && error.kind !== 'away') return undefined;
    throw error;
  });
  const { data } = (listed ?? {}) as { data?: unknown };
  const ids = Array.isArray(data) ? data.map((each: { id?: unknown } | null) => String(each?.id)) : [];
  if (ids.length <= 1) return ids[0];
  const few = ids.slice(0, 5).join(', ');
  throw new Trouble(
    'setup',
    `it serves ${ids.length} models (${few}${ids.length > 5 ? ', …' : ''}): HINDSIGHT_LEDGER_EMBEDDINGS_MODEL says which`,
  );
}
