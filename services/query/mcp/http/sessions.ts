import type { ServerResponse } from 'node:http';

/** A client's connection over several requests, bound to the token that opened it. */
export interface Session<Connection> {
  readonly id: string;
  readonly tokenId: string;
  readonly connection: Connection;
  close(): Promise<void>;
}

interface Held<Connection> {
  readonly session: Session<Connection>;
  /** Responses that are not finished: calls in flight and streams. */
  open: number;
  usedAt: number;
}

export interface Sessions<Connection> {
  add(session: Session<Connection>): void;
  /** Undefined for an unknown id and for another token's session alike: neither may be told apart. */
  find(id: string | undefined, tokenId: string): Session<Connection> | undefined;
  /** Counts a response as use of the session until it is finished. */
  use(id: string, response: ServerResponse): void;
  remove(id: string): void;
  /**
   * Makes room for one more of a token. One that has its share ends its own longest unused one; if there are too many over
   * all, the token that has most of them does: so no client can push out another's. What is refused is told.
   */
  makeRoom(tokenId: string): 'made' | 'token_full' | 'full';
  /** Ends those that nobody used for long. */
  sweep(): void;
  closeAll(): Promise<void>;
}

export function createSessions<Connection>(options: {
  readonly most: number;
  readonly idleMs: number;
  now(): number;
  onError(error: unknown): void;
}): Sessions<Connection> {
  const held = new Map<string, Held<Connection>>();
  // No token may hold all: whoever keeps its sessions in use, as a stream does, would lock every other one out.
  const share = Math.max(1, Math.floor(options.most / 2));
  const end = (entry: Held<Connection>) => {
    held.delete(entry.session.id);
    entry.session.close().catch(options.onError);
  };
  const endUnused = (entries: readonly Held<Connection>[]): boolean => {
    const [unused] = entries.filter(({ open }) => open === 0).sort((a, b) => a.usedAt - b.usedAt);
    if (unused) end(unused);
    return unused !== undefined;
  };
  return {
    add: (session) => void held.set(session.id, { session, open: 0, usedAt: options.now() }),
    find(id, tokenId) {
      const entry = id === undefined ? undefined : held.get(id);
      return entry?.session.tokenId === tokenId ? entry.session : undefined;
    },
    use(id, response) {
      const entry = held.get(id);
      if (!entry) return;
      entry.open++;
      entry.usedAt = options.now();
      response.once('close', () => {
        entry.open--;
        entry.usedAt = options.now();
      });
    },
    remove: (id) => void held.delete(id),
    makeRoom(tokenId) {
      const own = [...held.values()].filter(({ session }) => session.tokenId === tokenId);
      if (own.length >= share) return endUnused(own) ? 'made' : 'token_full';
      if (held.size < options.most) return 'made';
      return endUnused(ofWhoHasMost(held.values())) ? 'made' : 'full';
    },
    sweep() {
      const before = options.now() - options.idleMs;
      for (const entry of held.values()) if (entry.open === 0 && entry.usedAt <= before) end(entry);
    },
    async closeAll() {
      const all = [...held.values()];
      held.clear();
      await Promise.all(all.map(({ session }) => session.close().catch(options.onError)));
    },
  };
}

function ofWhoHasMost<Connection>(all: Iterable<Held<Connection>>): Held<Connection>[] {
  const byToken = new Map<string, Held<Connection>[]>();
  for (const entry of all) {
    const sessions = byToken.get(entry.session.tokenId);
    if (sessions) sessions.push(entry);
    else byToken.set(entry.session.tokenId, [entry]);
  }
  let most: Held<Connection>[] = [];
  for (const sessions of byToken.values()) if (sessions.length > most.length) most = sessions;
  return most;
}
