import fc from 'fast-check';

/** Stands in arguments for what an earlier answer of the same profile gave: the n-th of all there are by then. */
export type Earlier = { readonly $earlier: 'memory' | 'basis' | 'time'; readonly n: number };

export type Command =
  | { readonly do: 'call'; readonly who: Who; readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  /** Confirms an earlier dry run of whoever it was. */
  | { readonly do: 'confirm'; readonly who: Who; readonly n: number }
  /** The command before once more, as it was. */
  | { readonly do: 'again' }
  | { readonly do: 'verb'; readonly args: readonly string[]; readonly input?: string };

/** Two banks. */
export type Who = 'mine' | 'theirs';

const english = 'deploy gateway invoice harbour budget review cache ledger pilot release'.split(' ');
const chinese = ['支付网关', '数据库迁移', '预算评审', '发布计划', '缓存失效'];
const word = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...english) }, fc.constantFrom(...chinese));
const words = (minLength: number, maxLength: number) =>
  fc.array(word, { minLength, maxLength }).map((chosen) => chosen.join(' '));

const earlier = ($earlier: Earlier['$earlier']) => fc.record({ $earlier: fc.constant($earlier), n: fc.nat(1_000_000) });
const oneOfFew = (name: string, count: number) => fc.nat(count - 1).map((at) => `${name}.${at}`);
const day = fc
  .record({
    year: fc.integer({ min: 2021, max: 2024 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
  })
  .map(
    ({ year, month, day: of }) => `${year}-${String(month).padStart(2, '0')}-${String(of).padStart(2, '0')}T08:30:00Z`,
  );
const wrongTime = fc.constantFrom('yesterday', '2023-02-30', '');
const time = fc.oneof({ weight: 30, arbitrary: day }, wrongTime);

/** Each with its own chance, most of them absent. */
function some<T extends Record<string, fc.Arbitrary<unknown>>>(fields: T, chance: number): fc.Arbitrary<object> {
  const chosen = Object.entries(fields).map(([name, value]) =>
    fc.tuple(fc.nat(999), value).map(([dice, of]) => (dice < chance * 1_000 ? { [name]: of } : {})),
  );
  return fc.tuple(...chosen).map((parts) => Object.assign({}, ...parts) as object);
}

/** Times to live that lie well beyond the run: whether something has expired must not depend on a clock. */
export const timesToLive = { '7d': 7 * 86_400_000, '30d': 30 * 86_400_000 } as const;

const tag = fc.constantFrom('infra', 'urgent', '支付', 'draft');
const subject = fc.constantFrom('Ada', '李雷', 'Noor');
const memoryFields = {
  kind: fc.constantFrom('semantic', 'episodic', 'working', 'experience'),
  key: oneOfFew('slot', 25),
  session_id: oneOfFew('session', 5),
  task_id: oneOfFew('task', 4),
  occurred_at: time,
  valid_from: time,
  tags: fc.uniqueArray(tag, { maxLength: 3 }),
  subjects: fc.uniqueArray(subject, { maxLength: 2 }),
  importance: fc.constantFrom(0, 0.25, 0.9, 1, 1.5),
  confidence: fc.constantFrom(0.1, 0.5, 1),
  origin: fc.constantFrom('user', 'agent', 'tool', 'system'),
  ttl: fc.constantFrom(...Object.keys(timesToLive)),
  metadata: fc.record({ note: word, n: fc.integer({ min: -5, max: 5 }) }),
  derived_from: fc.array(earlier('memory'), { maxLength: 2 }),
};
const memory = fc
  .tuple(
    words(1, 6),
    some(memoryFields, 0.18),
    some({ valid_to: fc.constant('2024-12-31T00:00:00Z') }, 0.08),
    some({ request: fc.nat(20) }, 0.15),
  )
  .map(([content, fields, end, asked]) => {
    const { key } = fields as { key?: string };
    const { request } = asked as { request?: number };
    return {
      content,
      ...fields,
      ...end,
      ...(request === undefined ? {} : { idempotency_key: requestKey(key, request) }),
    };
  });

/** The same again with other contents, but never of another memory (see `ofOneMemory` in player.ts). */
function requestKey(slot: string | undefined, request: number): string {
  return slot === undefined ? `request.${request}` : `request.${slot}.${request % 2}`;
}

const step = fc.record({ session_id: oneOfFew('session', 5), step: fc.nat(6), action: fc.constantFrom('plan', 'run') });
const ifVersion = some({ if_version: fc.nat(3) }, 0.25);

const write = fc.oneof(
  { weight: 8, arbitrary: memory },
  {
    weight: 3,
    arbitrary: fc
      .tuple(memory, oneOfFew('slot', 25), ifVersion)
      .map(([of, key, only]) => ({ ...ofNoOther(of), key, ...only })),
  },
  { weight: 2, arbitrary: fc.tuple(memory, step).map(([of, at]) => ({ ...ofNoOther(of), ...at })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(memory, earlier('memory'), ifVersion)
      .map(([of, memory_id, only]) => ({ ...ofNoOther(of), memory_id, ...only })),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.oneof({ weight: 9, arbitrary: memory }, fc.constant({ content: '' })), { minLength: 2, maxLength: 9 })
      .map((items) => ({ items: apart(items) })),
  },
);

/** Without what names another memory. */
function ofNoOther(of: object): object {
  const { key: _key, idempotency_key: _request, ...rest } = of as { key?: string; idempotency_key?: string };
  return rest;
}

/**
 * Items of one call without what is not the same in two runs: of several turns of a session, the store's order says which is searched with
 * which (docs/decisions/0017); of several versions of a slot, a millisecond says whether the later one cuts the earlier or covers it.
 */
function apart(items: readonly object[]): object[] {
  const keys = new Set<string>();
  return items.map((item, at) => {
    const { session_id, ...rest } = item as { session_id?: string; key?: string };
    const { key } = rest;
    const isRepeated = key !== undefined && keys.has(key);
    if (key !== undefined) keys.add(key);
    const one = at === 0 && session_id !== undefined ? { ...rest, session_id } : rest;
    return isRepeated ? ofNoOther(one) : one;
  });
}

const past = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.record({ as_of: earlier('time') }) },
  { weight: 2, arbitrary: fc.record({ basis: earlier('basis') }) },
  { weight: 1, arbitrary: fc.record({ as_of: time }) },
);
const search = fc
  .tuple(
    words(1, 4),
    past,
    fc.oneof(
      { weight: 9, arbitrary: fc.constant({}) },
      fc.record({ valid_at: fc.oneof(day, fc.constant('2031-01-01T00:00:00Z')) }),
      fc.record({ valid_during: fc.record({ from: day, to: day }) }),
    ),
    some(
      {
        kinds: fc.constantFrom(['semantic'], ['episodic', 'working']),
        session_id: oneOfFew('session', 5),
        task_id: oneOfFew('task', 4),
        tags: fc.uniqueArray(tag, { minLength: 1, maxLength: 2 }),
        subject,
        time_range: fc.record({ from: day }),
        top_k: fc.constantFrom(1, 3, 20, 100, 101),
        token_budget: fc.constantFrom(20, 200),
        include: fc.constantFrom(
          ['superseded'],
          ['current', 'retracted'],
          ['current', 'superseded', 'retracted', 'expired'],
        ),
        explain: fc.constant(true),
      },
      0.06,
    ),
    // Mostly all that was ranked: words by chance make no question that much fits, and an empty answer tells little.
    fc.oneof(
      { weight: 5, arbitrary: fc.constant({ min_score: 0 }) },
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.record({ min_score: fc.constantFrom(0.1, 0.4) }) },
    ),
  )
  .map(([query, when, valid, rest, cut]) => ({ query, ...when, ...valid, ...rest, ...cut }));

const filter = some(
  {
    tags: fc.uniqueArray(tag, { minLength: 1, maxLength: 2 }),
    session_id: oneOfFew('session', 5),
    subject,
    before: day,
    query: words(1, 2),
  },
  0.4,
);
const reason = fc.constantFrom('out of date', '写错了', 'asked for');
const retried = some({ idempotency_key: oneOfFew('forget', 20) }, 0.2);
const forget = fc.oneof(
  fc.tuple(earlier('memory'), reason, retried).map(([memory_id, why, key]) => ({ memory_id, reason: why, ...key })),
  fc.tuple(filter, reason).map(([of, why]) => ({ filter: of, reason: why })),
);
const restore = fc
  .tuple(earlier('memory'), reason, retried)
  .map(([memory_id, why, key]) => ({ memory_id, reason: why, ...key }));
const feedback = fc
  .tuple(
    earlier('memory'),
    fc.constantFrom('success', 'failure', 'useful', 'irrelevant', 'wrong'),
    some({ idempotency_key: oneOfFew('rate', 20), note: words(1, 3), version: fc.integer({ min: 1, max: 3 }) }, 0.2),
  )
  .map(([memory_id, outcome, more]) => ({ memory_id, outcome, ...more }));
const history = fc
  .tuple(
    fc.oneof(fc.record({ memory_id: earlier('memory') }), fc.record({ key: oneOfFew('slot', 25) })),
    past,
    some({ valid_at: day }, 0.2),
  )
  .map(([of, when, valid]) => ({ ...of, ...when, ...valid }));

const importLines = fc.array(fc.tuple(fc.nat(40), words(2, 5)), { minLength: 1, maxLength: 4 }).map((records) =>
  records
    .map(([id, text], at) =>
      // A session each: a turn is searched together with the one before it, and the order of one call's writes is the store's (0017).
      JSON.stringify({ id, text: `${text}${' line'.repeat(at)}`, session_id: `talk-${id}`, timestamp: '2023-05-05' }),
    )
    .join('\n'),
);

const who = fc.oneof({ weight: 6, arbitrary: fc.constant<Who>('mine') }, fc.constant<Who>('theirs'));
const call = (tool: string, args: fc.Arbitrary<object>) =>
  fc
    .tuple(who, args)
    .map(([of, given]): Command => ({ do: 'call', who: of, tool, args: given as Record<string, unknown> }));

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 38, arbitrary: call('memory_write', write) },
  { weight: 32, arbitrary: call('memory_search', search) },
  { weight: 8, arbitrary: call('memory_history', history) },
  { weight: 7, arbitrary: call('memory_forget', forget) },
  { weight: 4, arbitrary: fc.tuple(who, fc.nat(1_000_000)).map(([of, n]): Command => ({ do: 'confirm', who: of, n })) },
  { weight: 4, arbitrary: call('memory_restore', restore) },
  { weight: 4, arbitrary: call('memory_feedback', feedback) },
  { weight: 3, arbitrary: call('memory_stats', fc.constant({})) },
  { weight: 4, arbitrary: fc.constant<Command>({ do: 'again' }) },
);
const importing = fc.record({
  do: fc.constant('verb' as const),
  args: fc.constant(['import', '-', '--format', 'turns', '--json']),
  input: importLines,
});

/** The same for the same seed. One in a hundred imports a file, for the command takes a second. */
export function randomCommands(count: number, seed: number): readonly Command[] {
  const imports = fc.sample(importing, { seed, numRuns: Math.ceil(count / 100) });
  return fc
    .sample(command, { seed, numRuns: count })
    .map((each, at) => (at % 100 === 60 ? imports[Math.floor(at / 100)]! : each));
}
