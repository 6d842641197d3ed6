import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Embedding } from './create-embedding.js';

const EMBEDDING = Symbol('Embedding');

/** Embeds in the background while the application runs, and has stopped before anything is closed. */
@Injectable()
class EmbedsInTheBackground implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(@Inject(EMBEDDING) private readonly embedding: Embedding | undefined) {}

  onApplicationBootstrap(): void {
    this.#running = this.embedding?.background(this.#stopping.signal) ?? Promise.resolve();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}

@Module({})
class EmbeddingModule {}

/** Keeps vectors close to the views, where there is something to make them. */
export function embeddingModule(embedding: Embedding | undefined): DynamicModule {
  return {
    module: EmbeddingModule,
    providers: [{ provide: EMBEDDING, useValue: embedding }, EmbedsInTheBackground],
  };
}
