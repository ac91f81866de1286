import { within, type Rule } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';
import { parseSelector } from '../../../kubernetes/selection/label-selector.js';
import { driverInstances } from './instances.js';

/**
 * The operator's API takes any text. Its upgrade controller fails on such a selector when a node is to be upgraded
 * (k8s-operator-libs, pkg/upgrade), and nodes wait for ever.
 */
export const selectorsReadable: Rule = {
  code: 'WEFT0222',
  severity: 'warning',
  title: 'a label selector of the upgrade policy cannot be read',
  *check(config) {
    for (const { spec, origin } of driverInstances(config)) {
      for (const key of ['waitForCompletion', 'drain'] as const) {
        const parsed = parseSelector(spec.upgradePolicy?.[key]?.podSelector ?? '');
        if (!('error' in parsed)) continue;
        const place = within(origin, 'upgradePolicy', key, 'podSelector');
        yield {
          origin: place,
          message: `\`${formatPath(place.path)}\` is no label selector: ${parsed.error}`,
          help: 'write it as kubectl takes it, for instance `app=training,tier!=test` or `app in (a, b)`',
        };
      }
    }
  },
};
