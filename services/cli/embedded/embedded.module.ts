import 'reflect-metadata';
import { type DynamicModule, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ingestModule } from '#ingest/ingest.module.js';
import { embeddingModule } from '#projector/embedding/embedding.module.js';
import { projectorModule } from '#projector/projector.module.js';
import { queryModule } from '#query/query.module.js';
import type { Opened } from '../opened.js';

export const OPENED = Symbol('Opened');

/** Nest has stopped asking by now: what is recorded in the background is stored, then the files are closed. */
@Injectable()
class ClosesWhatIsOpen implements OnApplicationShutdown {
  constructor(@Inject(OPENED) private readonly opened: Opened) {}

  onApplicationShutdown(): Promise<void> {
    return this.opened.close();
  }
}

@Module({})
class EmbeddedModule {}

/** The services of one process over what one process opened, by injection. It is closed with the application. */
export function embeddedModule(opened: Opened): DynamicModule {
  return {
    module: EmbeddedModule,
    imports: [
      ingestModule(opened.commands),
      projectorModule(opened.projector),
      embeddingModule(opened.embedding, opened.enrichment),
      queryModule(opened.queries),
    ],
    providers: [{ provide: OPENED, useValue: opened }, ClosesWhatIsOpen],
    exports: [OPENED],
  };
}
