import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const target = join(root, 'dist', 'bundle');
const serverFile = 'embedded-server.js';
/** Built beside its place and then moved there, so that nobody meets half a bundle. */
const outdir = `${target}.next`;

/**
 * Bundles what tsc made into dist/bundle: main.js, and the chunks that it imports when they are needed. tsc goes first
 * because esbuild on TypeScript loses the metadata that injection reads.
 *
 * The server that agents wait for at every start is bundled by itself: beside the rest it would be cut into sixty chunks, by what else
 * imports each, and reading them was a quarter of a start. A process runs either, never both.
 */
export async function bundle() {
  rmSync(outdir, { recursive: true, force: true });
  const program = await bundled('dist/build/services/cli/main.js', 'chunks/[name]-[hash]', [serverByItself]);
  const server = await bundled(`dist/build/services/cli/stdio/${serverFile}`, 'server/[name]-[hash]', [withoutServers]);
  // The thread that computes vectors looks for its program beside main.js (libs/understanding/embeddings/e5/places.ts).
  const worker = await bundled('dist/build/libs/understanding/embeddings/e5/e5-worker.js', 'worker/[name]-[hash]', []);
  // So does the one that prepares the events of a rebuild (services/cli/embedded/home-preparing.ts).
  const preparing = await bundled(
    'dist/build/services/cli/embedded/preparing-thread.js',
    'preparing/[name]-[hash]',
    [],
  );
  const metafile = {
    inputs: { ...program.inputs, ...server.inputs, ...worker.inputs, ...preparing.inputs },
    outputs: { ...program.outputs, ...server.outputs, ...worker.outputs, ...preparing.outputs },
  };
  const main = join(outdir, 'main.js');
  const text = readFileSync(main, 'utf8');
  writeFileSync(main, text.startsWith('#!') ? text : `#!/usr/bin/env node\n${text}`);
  chmodSync(main, 0o755);
  writeFileSync(join(outdir, 'THIRD-PARTY-NOTICES.txt'), notices(metafile));
  rmSync(target, { recursive: true, force: true });
  renameSync(outdir, target);
  return metafile;
}

async function bundled(entry, chunkNames, plugins) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting: true,
    chunkNames,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    plugins: [...plugins, englishOnly, withoutWhatNestLooksFor, withoutWhatNothingElicits, metadataFirst],
    logLevel: 'warning',
    // The one dependency with a binary; the rest are optional parts of others that are asked for by name and never used here.
    external: [
      '@photostructure/sqlite',
      'class-validator',
      'class-transformer',
      'class-transformer/*',
      '@nats-io/transport-node',
      '@grpc/proto-loader',
      'amqp-connection-manager',
      'amqplib',
      'mqtt',
      'pg-native',
    ],
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  return metafile;
}

/** What main.js imports from beside it, instead of bundling it. */
const serverByItself = {
  name: 'server-by-itself',
  setup({ onResolve }) {
    onResolve({ filter: /embedded-server\.js$/ }, () => ({ path: `./${serverFile}`, external: true }));
  },
};

/** What Nest loads for servers of its own: over stdio it injects, and nothing else. */
const withoutServers = {
  name: 'without-servers',
  setup({ onResolve }) {
    onResolve({ filter: /^@nestjs\/(microservices|websockets|platform-express)(\/|$)/ }, ({ path }) => ({
      path,
      namespace: 'not-there',
    }));
  },
};

/** The SDK's server imports ajv for answers to questions that this product does not ask: 180 KB that every start would read. */
const withoutWhatNothingElicits = {
  name: 'without-what-nothing-elicits',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /validation[/\\]ajv-provider\.js$/ }, ({ path }) => ({ path, namespace: 'elicits-nothing' }));
    onLoad({ filter: /.*/, namespace: 'elicits-nothing' }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    }));
  },
};

/** zod brings its messages in fifty languages, and every start would read them: 300 KB of code for sentences that nothing shows. */
const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/**
 * A server over HTTP looks whether there are transports or sockets in the same application. There are none: the transports of the
 * distributed profile are applications of their own, and what is found would be loaded at every start.
 */
const withoutWhatNestLooksFor = {
  name: 'without-what-nest-looks-for',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@nestjs\/(microservices|websockets)(\/|$)/ }, ({ path, importer }) => {
      const looksFor =
        path.startsWith('@nestjs/websockets') || /@nestjs[/\\]core[/\\]nest-application\.js$/.test(importer);
      return looksFor ? { path, namespace: 'not-there' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'not-there' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not there.`)});`,
    }));
  },
};

/**
 * What Nest's decorators call must be there before any of them runs. Taken for CommonJS, it would be run by the module that imports it,
 * which is after all of that module's other imports.
 */
const metadataFirst = {
  name: 'metadata-first',
  setup({ onLoad }) {
    onLoad({ filter: /reflect-metadata[/\\]Reflect\.js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\nexport {};`,
    }));
  },
};

/** The licence texts of every package of which a part was bundled. */
function notices(metafile) {
  const folders = new Set(Object.keys(metafile.inputs).flatMap((input) => packageFolder(input) ?? []));
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const texts = readdirSync(join(root, folder))
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .sort()
      .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n');
  });
  const head = 'This package contains parts of the following ones, under their own licences.';
  return `${[head, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function packageFolder(input) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  return match && existsSync(join(root, match[1], 'package.json')) ? match[1] : undefined;
}
