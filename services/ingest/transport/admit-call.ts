import {
  type CommandCall,
  callFrame,
  commandCall,
  largestCall,
  longestCall,
  type Refusal,
  toleratedSkew,
} from '#contract/command-transport/call.js';
import { isSignedCall } from '#contract/command-transport/sign.js';

/** A call that is not looked at. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly why: Refusal['refused'],
    sentence: string,
    /** Of the call, where it says one. */
    readonly callId?: string,
  ) {
    super(sentence);
  }

  get told(): Refusal {
    return { refused: this.why, message: this.message };
  }
}

/** Lets calls pass that another service of this ledger signed, each of their tries once, while somebody waits for them. */
export type Gate = (frame: unknown) => Promise<CommandCall>;

/**
 * @param key the vault's service key
 * @param now milliseconds since the epoch
 */
export function openGate(key: () => Promise<Uint8Array>, now: () => number): Gate {
  const seen = recentlySeen(longestCall + 2 * toleratedSkew, now);
  return async (given) => {
    const frame = callFrame.safeParse(given);
    if (!frame.success) throw new Refused('malformed', 'This is no signed call.');
    const { call, attempt } = frame.data;
    if (call.length > largestCall)
      throw new Refused('malformed', `A call has ${call.length} characters; ${largestCall} are taken.`);
    if (!isSignedCall(await key(), frame.data))
      throw new Refused('unsigned', 'This call is not signed with the key of this ledger’s services.', claimedId(call));
    const read = commandCall.safeParse(JSON.parse(call));
    if (!read.success)
      throw new Refused('malformed', 'This call is of another release: run one release everywhere.', claimedId(call));
    const { id, deadline } = read.data;
    const left = deadline - now();
    if (left < -toleratedSkew)
      throw new Refused(
        'expired',
        `This call ended ${Math.round(-left / 1000)} s ago: it was held up, or the services’ clocks differ.`,
        id,
      );
    if (left > longestCall + toleratedSkew)
      throw new Refused(
        'expired',
        `This call ends in ${Math.round(left / 1000)} s, which is too far off: the services’ clocks differ.`,
        id,
      );
    if (!seen.first(`${id} ${attempt}`)) throw new Refused('replayed', 'This try of the call was made before.', id);
    return read.data;
  };
}

/** The id that an unsigned text claims to have, where it is one: it goes into the log. */
function claimedId(call: string): string | undefined {
  return /"id":"([0-9a-f-]{36})"/.exec(call.slice(0, 200))?.[1];
}

/** Remembers what was seen for at least some milliseconds, and at most twice as long. */
function recentlySeen(forMs: number, now: () => number): { first(name: string): boolean } {
  let recent = new Set<string>();
  let before = new Set<string>();
  let since = now();
  return {
    first(name) {
      if (now() - since >= forMs) {
        before = now() - since >= 2 * forMs ? new Set() : recent;
        recent = new Set();
        since = now();
      }
      if (recent.has(name) || before.has(name)) return false;
      recent.add(name);
      return true;
    },
  };
}
