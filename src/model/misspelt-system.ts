import { didYouMean } from '../diagnostics/suggest.js';
import { driverSystems } from '../releases/driver-systems.js';
import { within, type Finding, type NodePool } from './config.js';

/** What looks wrong about the OS of a pool; `undefined` for all that may be right. */
export function misspeltSystem({ name, osName, osVersion, origin }: NodePool): Finding | undefined {
  const versions = driverSystems.get(osName);
  const help = versions ? undefined : didYouMean(osName, [...driverSystems.keys()]);
  if (help !== undefined) {
    return {
      origin: within(origin, 'osName'),
      message: `pool \`${name}\` has the OS \`${osName}\`, which no node may have`,
      help,
    };
  }
  if (!versions || /^\d+(?:\.\d+)*$/.test(osVersion)) return undefined;
  return {
    origin: within(origin, 'osVersion'),
    message: `pool \`${name}\` has version \`${osVersion}\` of ${osName}, which is no number`,
    help: `write \`VERSION_ID\` of \`/etc/os-release\`, in quotes, for instance "${versions.at(-1) ?? ''}"`,
  };
}
