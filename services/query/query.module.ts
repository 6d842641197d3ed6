import { type DynamicModule, Module } from '@nestjs/common';
import type { QueryPort } from '#contract/query-port.js';

/** Injection token of the QueryPort. */
export const QUERIES = Symbol('QueryPort');

@Module({})
class QueryModule {}

/** Provides the query port of this process. */
export function queryModule(queries: QueryPort): DynamicModule {
  return {
    module: QueryModule,
    global: true,
    providers: [{ provide: QUERIES, useValue: queries }],
    exports: [QUERIES],
  };
}
