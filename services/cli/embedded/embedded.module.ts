import 'reflect-metadata';
import { type DynamicModule, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ingestModule } from '#ingest/ingest.module.js';
import { projectorModule } from '#projector/projector.module.js';
import { queryModule } from '#query/query.module.js';
import type { Embedded } from './open-embedded.js';

export const EMBEDDED = Symbol('Embedded');

/** Nest has stopped asking by now: what is recorded in the background is stored, then the files are closed. */
@Injectable()
class ClosesTheHome implements OnApplicationShutdown {
  constructor(@Inject(EMBEDDED) private readonly embedded: Embedded) {}

  onApplicationShutdown(): Promise<void> {
    return this.embedded.close();
  }
}

@Module({})
class EmbeddedModule {}

/** The services of one process over one home, by injection. The home is closed with the application. */
export function embeddedModule(embedded: Embedded): DynamicModule {
  return {
    module: EmbeddedModule,
    imports: [ingestModule(embedded.commands), projectorModule(embedded.projector), queryModule(embedded.queries)],
    providers: [{ provide: EMBEDDED, useValue: embedded }, ClosesTheHome],
    exports: [EMBEDDED],
  };
}
