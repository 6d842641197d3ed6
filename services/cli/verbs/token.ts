import { Command } from 'commander';
import type { Token } from '#access/token-store.js';
import { type Role, roles } from '#contract/caller.js';
import { parseTime } from '#contract/time.js';
import { someOf } from '../options.js';
import { moment } from '../render/moment.js';
import { shown } from '../render/prose.js';
import { verb } from '../verb.js';

export const token = () =>
  new Command('token')
    .description('access tokens for `serve`: each is bound to a bank and to roles')
    .addCommand(create())
    .addCommand(list())
    .addCommand(revoke());

const create = () =>
  verb<{ roles?: Role[]; expires?: string }>(
    'create',
    'a new token; it is shown this once',
    async (run, options, [name = '']) => {
      const { bank, tokens } = await run.open();
      const expires = options.expires === undefined ? undefined : parseTime('--expires', options.expires);
      const store = await tokens();
      const made = await store.create({ name, bank, roles: options.roles ?? ['reader', 'writer'], expires });
      run.out.answer({ token: made.token, ...made.listed }, () =>
        [made.token, run.out.style('dim', 'Keep it now: only its hash is stored.')].join('\n'),
      );
    },
  )
    .argument('<name>', 'what it writes is signed token:<name>')
    .option('--role, --roles <list>', `some of ${roles.join(', ')}; reader,writer by default`, someOf(roles))
    .option('--expires <time>', 'never by default');

const list = () =>
  verb('list', 'the tokens of the bank', async (run) => {
    const { bank, tokens } = await run.open();
    const found = await (await tokens()).list(bank);
    run.out.answer(found, () =>
      found.length === 0 ? 'No token yet: hindsight-ledger token create NAME' : found.map(line).join('\n'),
    );
  });

const revoke = () =>
  verb('revoke', 'refuse a token from now on', async (run, _options, [idOrName = '']) => {
    const { tokens } = await run.open({ missingBank: 'leave' });
    run.out.answer(
      await (await tokens()).revoke(idOrName),
      (revoked) => `revoked: ${shown(revoked.name)} (${revoked.id})`,
    );
  }).argument('<id-or-name>');

function line(of: Token): string {
  const state = of.revoked
    ? `revoked ${moment(of.revoked)}`
    : of.expires
      ? `expires ${moment(of.expires)}`
      : 'in force';
  const used = of.lastUsed ? `last used ${of.lastUsed}` : 'never used';
  return `${of.id}  ${shown(of.name)}  ${of.roles.join(',')}  ${state}, ${used}`;
}
