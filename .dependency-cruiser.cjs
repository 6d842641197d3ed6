/** The import rules of the house (docs/decisions/0001). scripts/check.mjs also plants a violation, since a cruiser that resolves nothing passes. */
const adapters = '(sqlite|postgres|eventstoredb|redis|prometheus|otlp)';
const tests = '\\.(spec|contract|spec-support)\\.ts$|/(test-support|testing|spec-support)/';

module.exports = {
  forbidden: [
    {
      name: 'events-import-nothing',
      comment: 'Stored events never change: nothing of the project may reach into what they are.',
      severity: 'error',
      from: { path: '^libs/events/', pathNot: tests },
      to: { path: '^(libs/(?!events/)|services/)' },
    },
    {
      name: 'libs-import-no-service',
      severity: 'error',
      from: { path: '^libs/', pathNot: tests },
      to: { path: '^(services|test|bench)/' },
    },
    {
      name: 'services-meet-in-the-composition-only',
      comment:
        'ingest, projector and query know each other by ports in libs/contract; services/cli puts them together.',
      severity: 'error',
      from: { path: '^services/(ingest|projector|query)/', pathNot: tests },
      to: { path: '^services/(ingest|projector|query|cli)/', pathNot: '^services/$1/' },
    },
    {
      name: 'ports-import-no-adapter',
      severity: 'error',
      from: { path: `^libs/[^/]+/(?!${adapters}/)`, pathNot: `${tests}|^libs/sqlite/` },
      to: { path: `^libs/[^/]+/${adapters}/` },
    },
    {
      name: 'services-import-no-adapter',
      comment: 'Which engine is in use is decided in one place.',
      severity: 'error',
      from: { path: '^services/', pathNot: `${tests}|^services/cli/` },
      to: { path: `^libs/[^/]+/${adapters}/|^libs/sqlite/` },
    },
    {
      name: 'nest-at-the-edges',
      comment: 'Domain rules are pure functions; Nest wires modules, transports and life cycles.',
      severity: 'error',
      from: {
        path: '^(libs|services)/',
        pathNot:
          '\\.(module|controller|guard|filter|interceptor)\\.ts$|-strategy\\.ts$|/(http|transport|remote-commands)/|^services/cli/(embedded|distributed|main|serve)|\\.spec\\.ts$',
      },
      to: { path: 'node_modules/@nestjs/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'everything-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'tests-stay-out-of-the-product',
      severity: 'error',
      from: { path: '^(libs|services)/', pathNot: tests },
      to: { path: tests },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['hl-source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
