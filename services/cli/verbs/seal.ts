import { localPrincipal } from '#access/local-principal.js';
import { homePaths } from '#config/home.js';
import { HindsightError } from '#contract/errors.js';
import { lastSeal, sealLedger } from '#ledger/seal-ledger.js';
import { exportedOf } from '#proof/seal-stream.js';
import { counted } from '#query/mcp/render/shown.js';
import { systemSources } from '../embedded/system-sources.js';
import { overwriteFlag } from '../options.js';
import { isWrittenTo, outputFile } from '../output-file.js';
import { openLedgerAlone } from '../proof/open-ledger.js';
import { writeRootFile } from '../proof/root-file.js';
import { sealTools } from '../proof/seal-tools.js';
import { makeSigningKey } from '../proof/signing-key-file.js';
import { verb } from '../verb.js';

interface Options {
  export?: string;
  sign?: boolean;
  overwrite?: boolean;
}

export const seal = () =>
  verb<Options>('seal', 'put a Merkle root over all events on record', async (run, given) => {
    const { config } = run.loaded;
    const overwriting = { overwrite: given.overwrite ?? false };
    if (given.export !== undefined) await outputFile({ name: '--export', given: given.export }, config, overwriting);
    const { ledger } = await openLedgerAlone(config);
    try {
      if (given.sign) await makeSigningKey(homePaths(config.home).signingKey);
      const before = await lastSeal(ledger);
      // A root that is to be signed is put on record again where the last one is not.
      const least = given.sign && before && !before.seal.signature ? 0 : 1;
      const tools = sealTools({ config, sources: systemSources, principal: localPrincipal() });
      const { outcome, seal: made } = await sealLedger(ledger, tools, { least });
      if (!made)
        throw new HindsightError('invalid_input', 'The ledger holds no event yet, so there is nothing to seal.');
      const root = exportedOf(ledger.id, made);
      if (given.export !== undefined)
        writeRootFile(given.export, root, { onlyNew: !given.overwrite && !isWrittenTo(given.export) });
      run.out.answer({ ...root, sealed: outcome === 'sealed', ...(given.export && { file: given.export }) }, () =>
        [
          outcome === 'sealed'
            ? `Sealed: ${counted(made.size, 'event')}, root ${made.root}${made.signature ? ', signed' : ''}.`
            : `Nothing new since the last seal: ${counted(made.size, 'event')}, root ${made.root}${made.signature ? ', signed' : ''}.`,
          ...(given.export === undefined
            ? []
            : [`${given.export}: keep it where nobody who can write to the ledger can write.`]),
        ].join('\n'),
      );
    } finally {
      await ledger.close();
    }
  })
    .option('--export <file>', 'write the root there, to hold it against the ledger later (`verify --against`)')
    .option(...overwriteFlag)
    .option('--sign', 'make signing.key in the home, if there is none: from then on every seal is signed');
