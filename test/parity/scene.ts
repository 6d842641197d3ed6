import type { StackClient } from '#test/stack/mcp-client.js';
import type { Answer } from '#test/support/built-server.js';
import type { Finished } from '#test/support/command.js';
import { comparable } from './comparable.js';
import { type Masking, masking } from './masking.js';
import type { Profile } from './profile.js';
import { countSteps, type Steps } from './steps.js';

/** A client as a case has it: each call is a step, and stays connected over restarts of the profile. */
export interface SceneClient {
  call(tool: string, args: Record<string, unknown>): Promise<Answer>;
  /** As `call`, of what must succeed: the structured answer. @throws Error with what it says instead */
  ask<T extends object = Record<string, unknown>>(tool: string, args: Record<string, unknown>): Promise<T>;
}

/** What a case is played on: a profile, with all that was said in it on record. */
export interface Scene {
  readonly profile: Profile;
  readonly steps: Steps;
  readonly masking: Masking;
  /** Reads and writes a bank that cases share; what is to be alone uses a bank of its own. */
  readonly client: SceneClient;
  clientOf(token: string): SceneClient;
  token: Profile['token'];
  /** Runs a verb. */
  command(args: readonly string[], options?: { readonly input?: string }): Promise<Finished>;
  restart(): Promise<void>;
  /** A time after all that was written so far and before what is written from now on. */
  now(): string;
  /** What was answered so far, masked: equal on every profile. A case takes out what its profile decides, such as how often it asked. */
  readonly said: unknown[];
}

/** A running profile, on which one case is played after another. */
export interface Stage {
  /** With a record and a count of steps of its own: a case that fails says nothing about the next one. */
  scene(): Scene;
  /** Ends the connections of its clients, which connect anew when they are called. */
  disconnect(): Promise<void>;
}

export interface StageOptions {
  /** As `masking` has it. */
  readonly sameKeys?: boolean;
  /** As `countSteps` has it. */
  readonly laterBy?: readonly number[];
}

/** @param everyone token of the client that cases share */
export function openStage(profile: Profile, everyone: string, options: StageOptions = {}): Stage {
  const connections = new Map<string, Promise<StackClient>>();
  const connected = (token: string) => {
    const known = connections.get(token) ?? profile.client(token);
    connections.set(token, known);
    return known;
  };
  async function disconnect(): Promise<void> {
    const open = [...connections.values()];
    connections.clear();
    for (const each of open) await each.then((client) => client.close()).catch(() => undefined);
  }
  return {
    scene() {
      const steps = countSteps(options.laterBy);
      const masks = masking(steps, options);
      const said: unknown[] = [];
      const clientOf = (token: string): SceneClient => {
        const call: SceneClient['call'] = async (tool, args) => {
          const answer = await steps.step(() => settled(tool, async () => (await connected(token)).call(tool, args)));
          said.push({ tool, ...comparable(tool, answer, masks) });
          return answer;
        };
        return {
          call,
          async ask<T extends object>(tool: string, args: Record<string, unknown>) {
            const { isError, structured, text } = await call(tool, args);
            if (isError) throw new Error(`${tool}: ${text}`);
            return structured as T;
          },
        };
      };
      return {
        profile,
        steps,
        masking: masks,
        client: clientOf(everyone),
        clientOf,
        token: (asked) => profile.token(asked),
        command: (args, given) => steps.step(() => profile.command(args, given)),
        async restart() {
          await disconnect();
          await profile.restart();
        },
        now: () => steps.after(steps.count - 1),
        said,
      };
    },
    disconnect,
  };
}

/** Milliseconds; a little less than what a question waits for views that are behind. */
const waitedLong = 4_500;
const mostTries = 20;

/** On a machine that is too busy a question is answered before the views have caught up, and says so: then it is asked again. */
async function settled(tool: string, ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const began = Date.now();
    const answer = await ask();
    const mayLack = tool !== 'memory_write' && tool !== 'memory_restore' && Date.now() - began > waitedLong;
    if (!mayLack || tries === mostTries) return answer;
  }
}
