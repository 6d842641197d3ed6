import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { embeddedModule } from './embedded.module.js';
import type { Embedded } from './open-embedded.js';

/** The services of a process that stays: they project in the background until `close`, which closes the home too. */
export function startApplication(embedded: Embedded): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(embeddedModule(embedded), { logger: false, abortOnError: false });
}
