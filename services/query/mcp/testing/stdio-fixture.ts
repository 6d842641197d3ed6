import { serveStdio } from '../serve-stdio.js';
import { takeOverStdout } from '../stdio/own-stdout.js';
import { fakePorts } from './fake-ports.js';

/** A stdio server over fake ports that misbehaves when it is searched for a word that says how. */
const stdout = takeOverStdout();
const misbehave: Record<string, () => unknown> = {
  'console.log': () => console.log('FOREIGN'),
  'console.table': () => console.table(['FOREIGN']),
  'stdout.write': () => process.stdout.write('FOREIGN'),
  'stdout.end': () => process.stdout.end('FOREIGN'),
  throw: () => {
    throw new Error('FOREIGN');
  },
  rejection: () => {
    void Promise.reject(new Error('FOREIGN'));
  },
  exception: () => {
    setImmediate(() => {
      throw new Error('FOREIGN');
    });
  },
  warning: () => process.emitWarning('FOREIGN'),
  slow: () => new Promise((resolve) => setTimeout(resolve, 300)),
};
const normal = fakePorts();
const { commands, queries } = fakePorts({
  queries: {
    async search(input, caller) {
      await misbehave[input.query]?.();
      return normal.queries.search(input, caller);
    },
  },
  commands: { flush: async () => void process.stderr.write('FLUSHED\n') },
});
const log = (fields: object, message: string) =>
  void process.stderr.write(`${JSON.stringify({ ...fields, message })}\n`);
const end = await serveStdio({
  stdout,
  commands,
  queries,
  caller: { bank: 'b0', principal: 'local:ada', roles: ['reader', 'writer'] },
  bankName: 'default',
  log: { debug: log, info: log, warn: log, error: log },
  version: '0.0.0',
});
process.stderr.write(`ENDED ${end.reason}\n`);
process.exit(end.exitCode);
