import { startEventStore } from './start-event-store.js';

/** The test server as a process of its own, until it is killed. Arguments: folder, port (any by default). Prints its connection string. */
const [folder = '', port = '0'] = process.argv.slice(2);
const server = await startEventStore({ folder, port: Number(port) });
process.stdout.write(`${server.connectionString}\n`);
process.on('SIGTERM', () => {
  server.stop().then(() => process.exit(0));
});
