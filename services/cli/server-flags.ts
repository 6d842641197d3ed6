/** The settings that the server over stdio takes as flags. */
const names = {
  '--home': 'home',
  '--bank': 'bank',
  '--roles': 'roles',
  '--profile': 'profile',
  '--recall-record': 'recallRecord',
  '--master-key-file': 'masterKeyFile',
  '--log-level': 'logLevel',
} as const;

export type ServerFlags = Partial<Record<(typeof names)[keyof typeof names], string>>;

/**
 * The flags of a command line without a verb: it starts the server. Undefined for everything else (a verb, --help, a
 * flag that is not known or lacks its value), which the command's own parser answers.
 */
export function serverFlags(args: readonly string[]): ServerFlags | undefined {
  const flags: ServerFlags = {};
  for (let at = 0; at < args.length; at++) {
    const [flag, joined] = split(args[at]!);
    const name = names[flag as keyof typeof names];
    const value = joined ?? args[++at];
    if (!name || value === undefined || (joined === undefined && value.startsWith('-'))) return undefined;
    flags[name] = value;
  }
  return flags;
}

function split(arg: string): [flag: string, value: string | undefined] {
  const equals = arg.indexOf('=');
  return equals < 0 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}
