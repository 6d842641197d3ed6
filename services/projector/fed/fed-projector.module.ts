import { Controller, type DynamicModule, Inject, Module, UseFilters } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { FedBatch } from '../feed/feed.js';
import { FeedFailureFilter } from '../feed/feed-failure.filter.js';
import { FeedContext, FeedStrategy } from '../feed/feed-strategy.js';
import { allProjections } from '../projections/all-projections.js';
import type { FedProjector } from './create-fed-projector.js';

/** Injection token of the FedProjector. */
export const FED_PROJECTOR = Symbol('FedProjector');

@Controller()
@UseFilters(FeedFailureFilter)
class AppliesBatches {
  constructor(@Inject(FED_PROJECTOR) private readonly projector: FedProjector) {}

  @MessagePattern(allProjections.map(({ name }) => name))
  apply(@Payload() batch: FedBatch, @Ctx() { projection }: FeedContext): Promise<void> {
    return this.projector.apply(projection, batch);
  }
}

@Module({})
class FedProjectorModule {}

/** Applies what the feed brings; goes with the transport of `fedTransport`. */
export function fedProjectorModule(projector: FedProjector): DynamicModule {
  return {
    module: FedProjectorModule,
    global: true,
    controllers: [AppliesBatches],
    providers: [{ provide: FED_PROJECTOR, useValue: projector }],
    exports: [FED_PROJECTOR],
  };
}

/** The projector's groups as a transport: it runs from when Nest listens until Nest closes, and has written its checkpoints by then. */
export function fedTransport(projector: FedProjector): FeedStrategy {
  return new FeedStrategy((signal, deliver) => projector.run(signal, deliver));
}
