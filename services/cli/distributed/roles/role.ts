import type { Config } from '#config/settings.js';
import type { Sources } from '#contract/sources.js';
import type { Log } from '../../embedded/plain-log.js';
import type { Engines } from '../engines.js';
import type { Telemetry } from '../open-telemetry.js';
import type { Waiting } from '../until-there.js';

/** What a role is started with. */
export interface RoleParts {
  readonly config: Config;
  readonly log: Log;
  readonly sources: Sources;
  /** Shared by the roles of one process. */
  readonly engines: Engines;
  readonly waiting: Waiting;
  readonly telemetry: Telemetry;
}

/** A role of this process, started. */
export interface Role {
  /** What keeps it from doing its work, in words; empty when nothing does. */
  missing(): Promise<readonly string[]>;
  /** What it goes on without, later or in part. */
  without(): Promise<readonly string[]>;
  /** Finishes what is in flight. The engines stay open. */
  close(): Promise<void>;
}
