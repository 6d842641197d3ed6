import { loadConfig } from '#config/load-config.js';
import { type RankingProfile, type RecallLeg, rankingProfiles, recallLegs } from '#events/recall-settings.js';
import { openEmbedded } from '../../services/cli/embedded/open-embedded.js';
import { plainLog } from '../../services/cli/embedded/plain-log.js';

/** How banks are recalled from in a run. */
export interface Recalled {
  readonly off: readonly RecallLeg[];
  readonly profile: RankingProfile;
}

/** @param without legs, by commas @throws Error that names the option, for what there is not */
export function recalledBy({ without, ranking }: { readonly without?: string; readonly ranking?: string }): Recalled {
  const off = (without?.split(',') ?? []).map((leg) => oneOf('without', leg, recallLegs));
  return { off, profile: oneOf('ranking', ranking ?? 'learned', rankingProfiles) };
}

/**
 * Sets the banks of a home, as an operator does. Each time, since a home that is kept may have been left otherwise; where it is so already
 * nothing is stored.
 */
export async function setBanks(home: string, banks: Iterable<string>, { off, profile }: Recalled): Promise<void> {
  const { config } = loadConfig({ flags: { home }, env: {} });
  const opened = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
  try {
    const legs = Object.fromEntries(recallLegs.map((leg) => [leg, !off.includes(leg)]));
    for (const name of banks) {
      const bank = await opened.commands.bankNamed(name, 'refuse');
      await opened.commands.configureBank({ legs, profile, weights: null }, { ...opened.caller('bench'), bank });
    }
  } finally {
    await opened.close();
  }
}

function oneOf<T extends string>(option: string, given: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === given);
  if (found !== undefined) return found;
  throw new Error(`--${option} has ${JSON.stringify(given)}. Expected some of ${choices.join(', ')}.`);
}
