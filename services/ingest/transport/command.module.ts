import { type DynamicModule, Module } from '@nestjs/common';
import type { CommandPort } from '#contract/command-port.js';
import { ingestModule } from '../ingest.module.js';
import type { Gate } from './admit-call.js';
import type { AnsweredCalls } from './answered-calls.js';
import { ANSWERED_CALLS, CommandController, SERVICE_KEY } from './command.controller.js';
import type { TransportLog } from './perform-call.js';
import { GATE, SignedCallGuard, TRANSPORT_LOG } from './signed-call.guard.js';

export interface CommandModuleParts {
  readonly commands: CommandPort;
  readonly serviceKey: () => Promise<Uint8Array>;
  readonly gate: Gate;
  readonly answered: AnsweredCalls;
  readonly log: TransportLog;
}

@Module({})
class CommandModule {}

/** The command port, for other services. */
export function commandModule({ commands, serviceKey, gate, answered, log }: CommandModuleParts): DynamicModule {
  return {
    module: CommandModule,
    imports: [ingestModule(commands)],
    controllers: [CommandController],
    providers: [
      SignedCallGuard,
      { provide: GATE, useValue: gate },
      { provide: ANSWERED_CALLS, useValue: answered },
      { provide: SERVICE_KEY, useValue: serviceKey },
      { provide: TRANSPORT_LOG, useValue: log },
    ],
  };
}
