import { existsSync } from 'node:fs';
import { homePaths } from '#config/home.js';
import { openKeysDatabase } from '#sealing/sqlite/keys-database.js';
import { sqliteKeyStore } from '#sealing/sqlite/sqlite-key-store.js';
import { checkCache, checkEmbeddings } from '../doctor/check-embeddings.js';
import { checkDatabases, checkMasterKey } from '../doctor/check-files.js';
import { checkKeyCopy } from '../doctor/check-key-copy.js';
import { checkLanguageModel } from '../doctor/check-language-model.js';
import { checkHome, checkNode, checkSettings, checkSpace } from '../doctor/check-machine.js';
import { checkSigningKey } from '../doctor/check-signing-key.js';
import { checkViews } from '../doctor/check-views.js';
import type { Finding, Looked } from '../doctor/finding.js';
import { plainLog } from '../embedded/plain-log.js';
import { exitCode } from '../exit-codes.js';
import type { Output } from '../output.js';
import { shown } from '../render/prose.js';
import { type Run, verb } from '../verb.js';

export const doctor = () =>
  verb<{ fix?: boolean }>('doctor', 'says what is wrong, and how to mend it', async (run, { fix }) => {
    const findings: Finding[] = [];
    for await (const looked of looks(run)) findings.push(fix ? await mended(looked) : finding(looked));
    run.out.answer(findings, () => findings.map((each) => line(each, run.out)).join('\n'));
    if (findings.some(({ status }) => status === 'wrong')) run.exitWith(exitCode.foundWrong);
  }).option('--fix', 'mend what can be mended without a risk');

async function* looks(run: Run): AsyncGenerator<Looked> {
  const { loaded } = run;
  const paths = homePaths(loaded.config.home);
  yield checkNode();
  yield* checkSettings(loaded);
  yield* await checkSigningKey(paths.signingKey);
  yield* await checkEmbeddings(loaded.config);
  yield* await checkLanguageModel(loaded.config);
  if (loaded.config.profile === 'distributed') {
    const { lookAtEngines } = await import('../distributed/doctor/look-at-engines.js');
    yield* lookAtEngines(loaded.config, plainLog('error', run.out.note));
    return;
  }
  yield checkHome(paths);
  yield checkSpace(paths);
  yield await checkMasterKey(loaded.config.masterKeyFile, paths);
  yield* checkDatabases(paths);
  yield* checkCache(paths.cache);
  yield* await keyCopyOf(paths.keys);
  // Opening would make a home: where there is none there is nothing to look at.
  if (existsSync(paths.ledger)) yield* await checkViews(() => run.open({ missingBank: 'leave' }));
}

/** What is wrong with the file itself is said by the check before. */
async function keyCopyOf(path: string): Promise<Looked[]> {
  if (!existsSync(path)) return [];
  const db = await openKeysDatabase(path, { readOnly: true }).catch(() => undefined);
  if (!db) return [];
  const keyStore = sqliteKeyStore(db);
  return checkKeyCopy(keyStore)
    .catch(() => [])
    .finally(() => keyStore.close());
}

async function mended({ fix, ...found }: Looked): Promise<Finding> {
  return found.status === 'wrong' && fix ? { check: found.check, status: 'mended', says: await fix() } : found;
}

const finding = ({ fix, ...found }: Looked): Finding =>
  fix ? { ...found, mend: `${found.mend} \`doctor --fix\` does it.` } : found;

const marks = { well: ['green', '✓'], warning: ['yellow', '!'], wrong: ['red', '✗'], mended: ['green', '✓'] } as const;

function line({ check, status, says, mend }: Finding, out: Output): string {
  const [colour, mark] = marks[status];
  const head = `${out.style(colour, mark)} ${check.padEnd(11)} ${status === 'mended' ? 'mended: ' : ''}${shown(says)}`;
  return mend ? `${head}\n              ${out.style('dim', shown(mend))}` : head;
}
