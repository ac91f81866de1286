import { didYouMean } from '../../shared/diagnostics/suggest.js';
import { driverSystems } from '../releases/driver-systems.js';
import { within, type Violation, type NodePool } from './config.js';

/** Names of other systems (`ID` in /etc/os-release) that are spelt almost like systems with a driver. */
const OTHER_NAMES: readonly string[] = ['sled', 'sle_hpc', 'sl-micro', 'rhcos', 'scos', 'fcos', 'rhel-coreos'];

/** An OS whose name is a misspelling of one with a driver. No node has it, so the driver would never run. */
export function misspeltName({ name, osName, origin }: NodePool): Violation | undefined {
  if (driverSystems.has(osName) || OTHER_NAMES.includes(osName)) return undefined;
  const help = didYouMean(osName, [...driverSystems.keys()]);
  if (help === undefined) return undefined;
  return {
    origin: within(origin, 'osName'),
    message: `pool \`${name}\` has the OS \`${osName}\`, which no node may have`,
    help,
  };
}

/** An impossible version of a known OS. */
export function misspeltVersion({ name, osName, osVersion, origin }: NodePool): Violation | undefined {
  const versions = driverSystems.get(osName);
  if (!versions || /^\d+(?:\.\d+)*$/.test(osVersion)) return undefined;
  return {
    origin: within(origin, 'osVersion'),
    message: `pool \`${name}\` has version \`${osVersion}\` of ${osName}, which is no number`,
    help: `write \`VERSION_ID\` of \`/etc/os-release\`, in quotes, for instance "${versions.at(-1) ?? ''}"`,
  };
}
