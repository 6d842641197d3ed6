import { findings } from './findings.js';
import { keywords } from './keywords.js';
import { memories } from './memories.js';
import type { Projection } from './projection.js';
import { ratings } from './ratings.js';
import { recalls } from './recalls.js';
import { stats } from './stats.js';
import { versions } from './versions.js';

export const allProjections: readonly Projection[] = [memories, versions, keywords, ratings, findings, stats, recalls];
