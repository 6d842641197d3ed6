import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';

/** Relays, or stands by, until the signal aborts. */
export type RelayRun = (signal: AbortSignal) => Promise<void>;

const RELAY_RUN = Symbol('RelayRun');

/** Relays while the application runs; what is being published is finished before anything is closed. */
@Injectable()
class Relays implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(@Inject(RELAY_RUN) private readonly run: RelayRun) {}

  onApplicationBootstrap(): void {
    this.#running = this.run(this.#stopping.signal);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}

@Module({})
class RelayModule {}

/** One relay of a process. @param run does not reject */
export function relayModule(run: RelayRun): DynamicModule {
  return { module: RelayModule, providers: [{ provide: RELAY_RUN, useValue: run }, Relays] };
}
