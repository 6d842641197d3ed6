import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const bundled = join(root, 'dist', 'bundle');
/** Built beside its place and then moved there, so that nobody meets half a bundle. */
const outdir = `${bundled}.next`;

/**
 * Bundles what tsc made into dist/bundle: main.js and the chunks that it imports when they are needed. tsc goes first
 * because esbuild on TypeScript loses the metadata that injection reads.
 */
export async function bundle() {
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['dist/build/services/cli/main.js'],
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    plugins: [englishOnly],
    logLevel: 'warning',
    // Optional parts of Nest that are asked for by name and never used here, and the one dependency with a binary.
    external: [
      '@nestjs/microservices',
      '@nestjs/microservices/*',
      '@nestjs/websockets',
      '@nestjs/websockets/*',
      'class-validator',
      'class-transformer',
      'class-transformer/*',
      '@photostructure/sqlite',
    ],
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  const main = join(outdir, 'main.js');
  const text = readFileSync(main, 'utf8');
  writeFileSync(main, text.startsWith('#!') ? text : `#!/usr/bin/env node\n${text}`);
  chmodSync(main, 0o755);
  writeFileSync(join(outdir, 'THIRD-PARTY-NOTICES.txt'), notices(metafile));
  rmSync(bundled, { recursive: true, force: true });
  renameSync(outdir, bundled);
  return metafile;
}

/** zod brings its messages in fifty languages, and every start would read them: 300 KB of code for sentences that nothing shows. */
const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
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
