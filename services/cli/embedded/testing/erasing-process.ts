import { loadConfig } from '#config/load-config.js';
import { openEmbedded } from '../open-embedded.js';

/** Erases a person in a home of its own process: `erasing-process HOME SUBJECT`. Says when it was ordered to, and what came of it. */
const [home, subject = ''] = process.argv.slice(2);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const opened = await openEmbedded({ config: loadConfig({ flags: { home }, env: {} }).config, log: silent });
const who = opened.caller('erase');
const input = { subject, reason: 'asked to' };
const { confirm } = await opened.commands.erase(input, who);
process.send?.('planned');
const done = await opened.commands.erase({ ...input, ...(confirm ? { confirm } : {}) }, who);
process.send?.(done.status);
await opened.close();
process.disconnect?.();
