import pg from 'pg';
import type { Config } from '#config/settings.js';
import { isHindsightError } from '#contract/errors.js';
import type { Ledger } from '#ledger/ledger.js';
import { counted } from '#query/mcp/render/shown.js';
import type { Views } from '#views/views.js';
import { checkClock } from '../../doctor/check-clock.js';
import { checkErasures } from '../../doctor/check-erasures.js';
import { type Looked, well, wrong } from '../../doctor/finding.js';
import type { Log } from '../../embedded/plain-log.js';
import { systemSources } from '../../embedded/system-sources.js';
import { openEngines } from '../engines.js';
import { projectionLags } from '../projection-state.js';
import { checkLag } from './check-lag.js';

/** The database of the views: its schema, the rights of this role, and how far the projections are. */
export async function* checkViewsStore(config: Config, log: Log): AsyncGenerator<Looked> {
  const engines = openEngines({ config, log, sources: systemSources, makesKeys: false, patience: 5_000 });
  try {
    const views = await engines.views('query');
    yield well('views', await placeOf(config.postgresUrl));
    yield* checkProjections(views, await engines.ledger());
    yield* checkErasures(await views.reader().unfinishedErasures(), 'while an ingest service runs');
  } catch (error) {
    if (!isHindsightError(error)) throw error;
    const missing = isHindsightError(error, 'views_missing');
    yield wrong(
      'views',
      error.message,
      error.hint,
      missing ? async () => made(await engines.views('projector')) : undefined,
    );
  } finally {
    await engines.close();
  }
}

async function made(views: Views): Promise<string> {
  return `the schema was made, for ${counted(views.partitions, 'partition')}; a projector fills it from the ledger.`;
}

async function* checkProjections(views: Views, ledger: Ledger): AsyncGenerator<Looked> {
  const lags = await projectionLags(ledger, views);
  const checkpoints = await Promise.all(lags.map((id) => views.checkpoints(id)));
  // Asked for last: a checkpoint beyond it is beyond all that was ever written here.
  const head = (await ledger.head()) ?? '';
  const isAhead = checkpoints.map((all) => all.some(({ position }) => (position ?? '') > head));
  const letters = new Map<string, string>();
  for (const id of lags)
    for (const { position, type, eventId, reason } of await views.deadLetters(id))
      letters.set(position, `${type} ${eventId}: ${reason}`);
  yield checkLag(
    lags.map((lag, index) => ({ ...lag, isAhead: isAhead[index]! })),
    systemSources.now(),
  );
  if (letters.size > 0)
    yield wrong(
      'projections',
      `${counted(letters.size, 'event')} could not be projected and are set aside, with what follows in their streams. The first is ${[...letters.values()][0]}`,
      'Run `hindsight-ledger replay` with a release that can read them.',
    );
  const times = (await views.generations()).map(({ systemTime }) => systemTime).sort();
  yield checkClock(times.at(-1) ?? '', Date.now());
}

/** Versions, and who this role is: a reader of one bank at a time, or the owner. */
async function placeOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ server: string; role: string; owns: boolean; vector: string | null }>(
      `SELECT current_setting('server_version') AS server, current_user AS role,
        pg_has_role((SELECT nspowner FROM pg_namespace WHERE nspname = 'hindsight'), 'MEMBER') AS owns,
        (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector`,
    );
    const { server, role, owns, vector } = rows[0]!;
    const extension = vector === null ? 'without pgvector' : `pgvector ${vector}`;
    return `PostgreSQL ${server}, ${extension}; role ${role} ${owns ? 'owns the views' : 'reads one bank at a time'}`;
  } finally {
    await client.end();
  }
}
