import type { Rule } from '../../config/config.js';
import { configMapKnown, configMapsDiffer, directoryKnown } from './rules/config-maps.js';
import { precompiledKnown, toolkitKnown } from './rules/images.js';
import { poolsAgree, poolsApart } from './rules/pools.js';
import { safeLoadIsOne, safeLoadNeedsAutoUpgrade } from './rules/safe-load.js';
import { driverVersion } from './rules/version.js';

/** What must hold for the section `ofedDriver`. */
export const rules: readonly Rule[] = [
  configMapKnown,
  configMapsDiffer,
  directoryKnown,
  driverVersion,
  poolsAgree,
  poolsApart,
  precompiledKnown,
  safeLoadIsOne,
  safeLoadNeedsAutoUpgrade,
  toolkitKnown,
];
