import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Opened } from '../opened.js';
import { embeddedModule } from './embedded.module.js';

/** The services of a process that stays: they project in the background until `close`, which closes the home too. */
export async function startApplication(embedded: Opened): Promise<INestApplicationContext> {
  const application = await NestFactory.createApplicationContext(embeddedModule(embedded), {
    logger: false,
    abortOnError: false,
  });
  embedded.commands.watchErasures();
  return application;
}
