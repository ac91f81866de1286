import type { Rule } from '../../model/config.js';
import {
  configMapFilled,
  configMapKnown,
  configMapMountable,
  configMapsDiffer,
  directoryKnown,
} from './rules/config-maps.js';
import { precompiledKnown, toolkitKnown } from './rules/images.js';
import { poolNameable, poolsAgree, poolsApart } from './rules/pools.js';
import { safeLoadIsOne, safeLoadNeedsAutoUpgrade } from './rules/safe-load.js';
import { selectorsReadable } from './rules/selectors.js';
import { driverSystemsKnown } from './rules/systems.js';
import { driverVersion } from './rules/version.js';

/** Rules for the section `ofedDriver`. */
export const rules: readonly Rule[] = [
  configMapFilled,
  configMapKnown,
  configMapMountable,
  configMapsDiffer,
  directoryKnown,
  driverSystemsKnown,
  driverVersion,
  poolNameable,
  poolsAgree,
  poolsApart,
  precompiledKnown,
  safeLoadIsOne,
  safeLoadNeedsAutoUpgrade,
  selectorsReadable,
  toolkitKnown,
];
