/** Characters of answers that are kept. */
const keptCharacters = 32 * 1024 * 1024;

/** Calls that are being answered, or were lately: tries of one call are performed once, and answered alike. */
export interface AnsweredCalls {
  /** @param perform gives the answer's text, and whether a later try may have the same one */
  once(callId: string, until: number, perform: () => Promise<{ text: string; keep: boolean }>): Promise<string>;
  /** Resolves when none is being answered, or after so many milliseconds; false then. */
  settled(withinMs: number): Promise<boolean>;
}

interface Known {
  readonly answer: Promise<string>;
  readonly until: number;
  length: number;
}

/** @param now milliseconds since the epoch */
export function answeredCalls(now: () => number): AnsweredCalls {
  const known = new Map<string, Known>();
  const open = new Set<Promise<unknown>>();
  let characters = 0;

  function forget(callId: string): void {
    characters -= known.get(callId)?.length ?? 0;
    known.delete(callId);
  }

  /** The oldest first, as far as they are answered: those that nobody asks for any more, and what is too much. */
  function sweep(): void {
    for (const [callId, { until, length }] of known) {
      if (length === 0) continue;
      if (until > now() && characters <= keptCharacters) return;
      forget(callId);
    }
  }

  return {
    once(callId, until, perform) {
      const before = known.get(callId);
      if (before) return before.answer;
      sweep();
      const performed = perform();
      const entry: Known = { answer: performed.then(({ text }) => text), until, length: 0 };
      known.set(callId, entry);
      const done = performed.then(
        ({ text, keep }) => {
          if (!keep) return forget(callId);
          entry.length = text.length;
          characters += text.length;
        },
        () => forget(callId),
      );
      open.add(done);
      void done.finally(() => open.delete(done));
      return entry.answer;
    },
    async settled(withinMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), withinMs);
      });
      const answered = (async () => {
        while (open.size) await Promise.all(open);
        return true;
      })();
      return Promise.race([answered, late]).finally(() => clearTimeout(timer));
    },
  };
}
