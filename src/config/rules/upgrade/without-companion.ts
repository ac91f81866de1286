import { valueAt } from '../../../lib/json.js';
import { within, type Rule } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';

/** Settings of the companion, which this version does not render. */
const SETTINGS = [
  ['spec', 'upgrade'],
  ['spec', 'companion'],
  ['spec', 'driver', 'uninstall'],
];

/** A setting that does nothing must not look as if it did. */
export const settingWithoutCompanion: Rule = {
  code: 'WEFT0241',
  *check({ cluster }) {
    for (const path of SETTINGS) {
      const given = valueAt(cluster.origin.document.value, path);
      if (given === undefined || given === false) continue;
      yield {
        origin: within(cluster.origin, ...path),
        at: 'key',
        message: `\`${formatPath(path)}\` has no effect: this version renders no companion`,
        help: 'remove it, or keep it for the version that does',
      };
    }
  },
};
