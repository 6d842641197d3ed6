import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The public inspector of MCP; it needs Node 22.19. */
const inspector = '@modelcontextprotocol/inspector@2.12.0';
const itsNode = '22';
const root = join(import.meta.dirname, '..', '..');
const cache = join(root, 'node_modules', '.cache', 'hindsight-ledger-tests');

export interface Inspected {
  readonly code: number;
  readonly out: unknown;
  readonly err: string;
}

/** Installs the inspector, once, with a Node that it runs on where ours is older. Answers how to run its command line. */
export function installInspector(folder: string): (...args: string[]) => Promise<Inspected> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ours = major > 22 || (major === 22 && minor >= 19);
  const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const at = join(cache, `inspector-2.12.0${ours ? '' : `-${nodePackage}`}`);
  if (!existsSync(at)) install(at, ours ? [inspector] : [inspector, `${nodePackage}@${itsNode}`]);
  const node = ours ? process.execPath : join(at, 'node_modules', nodePackage, 'bin', 'node');
  const script = join(at, 'node_modules', '.bin', 'mcp-inspector');
  const env = { ...process.env, MCP_CATALOG_PATH: join(folder, 'catalog.json'), NO_COLOR: '1' };
  return (...args) =>
    new Promise((resolve) => {
      execFile(node, [script, '--cli', ...args], { env, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
        resolve({
          code: error ? Number(error.code) : 0,
          out: stdout.trim() ? JSON.parse(stdout) : undefined,
          err: stderr,
        });
      });
    });
}

/** Beside its place first, so that an install that was cut off leaves nothing that looks whole. */
function install(at: string, packages: readonly string[]): void {
  mkdirSync(cache, { recursive: true });
  const building = mkdtempSync(`${at}-`);
  writeFileSync(join(building, 'package.json'), '{"private": true}');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', '--ignore-scripts'];
  execFileSync('npm', ['install', ...quiet, ...packages], { cwd: building });
  try {
    renameSync(building, at);
  } catch {
    // Another run was faster.
    rmSync(building, { recursive: true, force: true });
  }
}
