import type { Scene } from './scene.js';

/**
 * What must hold on every profile: it plays on one, over MCP and by the command, and asserts what it expects. It is played on each,
 * and what was answered is compared: a case need not say what is equal anyway.
 */
export type ParityCase = (scene: Scene) => Promise<void>;

/** By title. */
export type ParityCases = Readonly<Record<string, ParityCase>>;
