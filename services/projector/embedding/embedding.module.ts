import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Embedding } from './create-embedding.js';

/** What is done over the views in the background, for as long as the application runs. */
type InBackground = Pick<Embedding, 'background'>;

const WORKS = Symbol('InBackground');

/** Works in the background while the application runs, and has stopped before anything is closed. */
@Injectable()
class WorksInTheBackground implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(@Inject(WORKS) private readonly works: readonly InBackground[]) {}

  onApplicationBootstrap(): void {
    this.#running = Promise.all(this.works.map((each) => each.background(this.#stopping.signal)));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}

@Module({})
class EmbeddingModule {}

/** Keeps what is made from the views close to them, where there is something to make it: vectors, and what a language model finds. */
export function embeddingModule(...works: readonly (InBackground | undefined)[]): DynamicModule {
  return {
    module: EmbeddingModule,
    providers: [{ provide: WORKS, useValue: works.filter((each) => each !== undefined) }, WorksInTheBackground],
  };
}
