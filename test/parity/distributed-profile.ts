import { type Stack, type StackOptions, startStack } from '#test/stack/start-stack.js';
import { madeToken, type Profile } from './profile.js';

export interface DistributedProfile extends Profile {
  readonly stack: Stack;
}

/** A process of each service, on real engines. */
export async function startDistributed(options: StackOptions = {}): Promise<DistributedProfile> {
  const stack = await startStack(options);
  try {
    await stack.ready();
  } catch (error) {
    await stack.close();
    throw error;
  }
  return {
    name: 'distributed',
    stack,
    client: (token) => stack.client(token),
    token: (asked) => madeToken(stack.command, asked),
    command: stack.command,
    async restart() {
      await Promise.all(stack.services.map((service) => service.kill()));
      for (const service of stack.services) service.start();
      await stack.ready();
    },
    log: () => stack.services.map((service) => service.log()).join('\n'),
    close: () => stack.close(),
  };
}
