import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Projector } from './create-projector.js';

/** Injection token of the Projector. */
export const PROJECTOR = Symbol('Projector');

/** Projects in the background while the application runs, and has stopped before anything is closed. */
@Injectable()
class ProjectsInTheBackground implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(@Inject(PROJECTOR) private readonly projector: Projector) {}

  onApplicationBootstrap(): void {
    this.#running = this.projector.background(this.#stopping.signal);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}

@Module({})
class ProjectorModule {}

/** Provides the projector of this process, and keeps the views close to the ledger. */
export function projectorModule(projector: Projector): DynamicModule {
  return {
    module: ProjectorModule,
    global: true,
    providers: [{ provide: PROJECTOR, useValue: projector }, ProjectsInTheBackground],
    exports: [PROJECTOR],
  };
}
