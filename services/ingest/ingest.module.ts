import { type DynamicModule, Module } from '@nestjs/common';
import type { CommandPort } from '#contract/command-port.js';

/** Injection token of the CommandPort. */
export const COMMANDS = Symbol('CommandPort');

@Module({})
class IngestModule {}

/** Provides the command port of this process. */
export function ingestModule(commands: CommandPort): DynamicModule {
  return {
    module: IngestModule,
    global: true,
    providers: [{ provide: COMMANDS, useValue: commands }],
    exports: [COMMANDS],
  };
}
