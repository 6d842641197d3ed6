/** Something to be done for sessions, none or some. */
export interface SessionWork<T> {
  readonly sessions: readonly (string | undefined)[];
  run(): Promise<T>;
}

/**
 * Does what belongs to one session one after the other, in the order given, and all else at once. What fails keeps nobody waiting.
 * @returns in the order given
 */
export function inSessionOrder<T>(works: readonly SessionWork<T>[]): Promise<T[]> {
  const last = new Map<string, Promise<unknown>>();
  return Promise.all(
    works.map(({ sessions, run }) => {
      const own = [...new Set(sessions)].filter((session) => session !== undefined);
      const before = own.map((session) => last.get(session)).filter((each) => each !== undefined);
      const mine = before.length === 0 ? run() : Promise.all(before).then(run);
      const ended = mine.catch(() => undefined);
      for (const session of own) last.set(session, ended);
      return mine;
    }),
  );
}
