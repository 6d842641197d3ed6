import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { homePaths } from '#config/home.js';
import { type LoadedConfig, loadConfig } from '#config/load-config.js';
import { type SettingName, settings } from '#config/settings.js';
import type { IfMissing } from '#contract/command-port.js';
import { type Log, plainLog } from './embedded/plain-log.js';
import { exitCode, exitCodeOf } from './exit-codes.js';
import { open as openProfile } from './open.js';
import type { Opened } from './opened.js';
import { createOutput, type Output } from './output.js';
import { refuseOwnKeyBackup } from './output-file.js';

/** What every verb is given. */
export interface Run {
  readonly out: Output;
  readonly loaded: LoadedConfig;
  /** Aborts at Ctrl-C or SIGTERM: finish what is under way, say how to go on. */
  readonly signal: AbortSignal;
  /**
   * Opens the home, or the engines of the distributed profile; all of it is closed when the verb ends, however it ends.
   * @param options.missingBank what becomes of a bank that is not there, unless nobody can have misspelt it: `refuse` by
   * default; `make` where the verb puts something into it, `leave` where it is about the whole home
   * @param options.writesViews whether the read models are to be written, which is the projector's to do in the distributed profile
   */
  open(options?: { bank?: string; log?: Log; missingBank?: IfMissing; writesViews?: boolean }): Promise<Opened>;
  /** Decides the exit code of a verb that did what it was asked: 0 without it, 130 after Ctrl-C. */
  exitWith(code: number): void;
}

export type Work<Options> = (run: Run, options: Options, args: readonly string[]) => Promise<void>;

const settingFlags = [
  ['--home <folder>', 'the home (the platform’s data folder by default)'],
  ['--bank <name>', 'the bank; auto: that of this git repository'],
  ['--master-key-file <file>', 'the master key, where it does not lie in the home'],
  ['--log-level <level>', 'trace, debug, info, warn, error or silent'],
] as const;
const settingNames = ['home', 'bank', 'masterKeyFile', 'logLevel', 'profile', 'recallRecord', 'roles'] as const;

/** The flags that stand before or after any verb. */
export function withCommonFlags(command: Command): Command {
  for (const [flag, about] of settingFlags) command.option(flag, about);
  return command.option('--json', 'one JSON document instead of text');
}

/**
 * A verb with the common flags. Its work's errors become one line and an exit code.
 * @param further settings that this verb takes as flags of its own
 */
export function verb<Options extends object = Record<string, never>>(
  name: string,
  about: string,
  work: Work<Options>,
  further: readonly SettingName[] = [],
): Command {
  const command = new Command(name).description(about);
  withCommonFlags(command);
  return command.action(async () => {
    let root = command;
    while (root.parent) root = root.parent;
    const options = { ...root.opts(), ...command.opts() } as Options & Record<string, unknown>;
    process.exitCode = await perform(options, command.args, work, [...settingNames, ...further]);
  });
}

async function perform<Options>(
  options: Options & Record<string, unknown>,
  args: readonly string[],
  work: Work<Options>,
  names: readonly SettingName[],
): Promise<number> {
  const out = createOutput(Boolean(options.json));
  const stop = stopOnSignals();
  const opened: Opened[] = [];
  try {
    const loaded = loadConfig({ flags: Object.fromEntries(names.map((name) => [name, options[name]])) });
    refuseOwnKeyBackup(loaded);
    for (const warning of loaded.warnings) out.note(`Warning: ${warning}`);
    const open: Run['open'] = async ({
      bank = loaded.config.bank,
      log = plainLog(loaded.config.logLevel, out.note),
      missingBank: asked,
      writesViews,
    } = {}) => {
      const missingBank = asked ?? (neverMisspelt(loaded) ? 'make' : 'refuse');
      // Whoever asks of a misspelt home must not take its silence for the answer of another.
      if (asked === undefined && holdsNothingYet(loaded))
        out.note(`There was no memory in ${loaded.config.home} yet: an empty one is made.`);
      const one = await openProfile({
        config: { ...loaded.config, bank },
        log,
        missingBank,
        writesViews,
        embeds: true,
      });
      opened.push(one);
      return one;
    };
    let code: number | undefined;
    const exitWith = (given: number) => {
      code = given;
    };
    await work({ out, loaded, signal: stop.signal, open, exitWith }, options, args);
    return code ?? (stop.signal.aborted ? interrupted : exitCode.done);
  } catch (error) {
    if (stop.signal.aborted) out.note('Stopped before the end: run the same command again.');
    else out.error(error);
    return stop.signal.aborted ? interrupted : exitCodeOf(error);
  } finally {
    for (const one of opened) await one.close().catch((error: unknown) => out.error(error));
    stop.forget();
  }
}

function holdsNothingYet({ config: { profile, home } }: LoadedConfig): boolean {
  return profile === 'embedded' && !existsSync(homePaths(home).ledger);
}

/** The bank that every home has, and one that follows from the folder. */
function neverMisspelt({ config, origins }: LoadedConfig): boolean {
  return config.bank === settings.bank.fallback || origins.bank.includes(': auto, ');
}

/** 128 + SIGINT, as shells have it. */
const interrupted = 130;

/** The first Ctrl-C asks to stop, the second one does not wait. */
function stopOnSignals(): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(interrupted);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return {
    signal: controller.signal,
    forget() {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    },
  };
}
