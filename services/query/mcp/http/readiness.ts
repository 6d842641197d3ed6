/** What a process needs that is not there, in words. */
export interface Readiness {
  /** What keeps it from doing its work; empty when it is ready. */
  missing(): Promise<readonly string[]>;
  /** What it goes on without, for a while or in part. */
  without?(): Promise<readonly string[]>;
}

/** The answer of `/health/ready`: 503 only where something keeps it from its work, so that nobody restarts what goes on. */
export async function readinessAnswer(of: Readiness): Promise<{ readonly status: number; readonly body: object }> {
  const [missing, looked = []] = await Promise.all([of.missing(), of.without?.()]);
  // Of several roles in one process one may need what another goes on without.
  const without = looked.filter((each) => !missing.includes(each));
  const isReady = missing.length === 0;
  return {
    status: isReady ? 200 : 503,
    body: {
      status: isReady ? 'ready' : 'not ready',
      ...(isReady ? {} : { missing }),
      ...(without.length === 0 ? {} : { without }),
    },
  };
}
