import 'reflect-metadata';
import { setImmediate as turn } from 'node:timers/promises';
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import type { Projector } from './create-projector.js';
import { PROJECTOR, projectorModule } from './projector.module.js';

it('projects while the application runs, and has stopped before anything is closed', async () => {
  const happened: string[] = [];
  const projector = {
    background: async (signal: AbortSignal) => {
      happened.push('projecting');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      // A slice in the midst of its commit.
      await turn();
      happened.push('stopped');
    },
  } as unknown as Projector;

  @Injectable()
  class Files implements OnApplicationShutdown {
    onApplicationShutdown() {
      happened.push('closed');
    }
  }
  @Module({ imports: [projectorModule(projector)], providers: [Files] })
  class Application {}

  const application = await NestFactory.createApplicationContext(Application, { logger: false });
  expect(application.get(PROJECTOR)).toBe(projector);
  expect(happened).toEqual(['projecting']);
  await application.close();
  expect(happened).toEqual(['projecting', 'stopped', 'closed']);
});
