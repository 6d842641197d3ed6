import { defineConfig } from 'vitest/config';

// Vite adds `import` and `require` as fits; named here, Node would give ES modules to a require() of externals, too.
const conditions = ['hl-source', 'node'];
const resolve = { conditions };
const ssr = { resolve: { conditions } };
const engines = ['{libs,services,test}/**/{postgres,redis,kafka,distributed}/**/*.int.spec.ts'];

/** Suffixes say what a test needs: `*.spec.ts` nothing, `*.int.spec.ts` real files or servers, `test/e2e` the built product. */
export default defineConfig({
  resolve,
  ssr,
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: ['{libs,services,bench}/**/*.spec.ts', 'test/{stack,support}/*.spec.ts'],
          exclude: ['**/*.int.spec.ts'],
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'int',
          include: ['{libs,services}/**/*.int.spec.ts'],
          exclude: engines,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      // What speaks to PostgreSQL, Redis or Kafka.
      {
        resolve,
        ssr,
        test: {
          name: 'engines',
          include: engines,
          globalSetup: 'test/engines/global-setup.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.spec.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      // The same calls to both profiles.
      {
        resolve,
        ssr,
        test: {
          name: 'parity',
          include: ['test/parity/**/*.spec.ts'],
          globalSetup: 'test/engines/global-setup.ts',
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'chaos',
          include: ['test/chaos/**/*.spec.ts'],
          testTimeout: 1_800_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
