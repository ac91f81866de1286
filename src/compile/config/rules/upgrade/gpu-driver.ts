import { OFED_DRIVER_LABEL } from '../../../../shared/contract/labels.js';
import { configuredDrivers } from '../../../delivery/drivers.js';
import { matchesSelector, selectorOf } from '../../../../shared/kubernetes/selection/label-selector.js';
import { within, type Rule } from '../../../model/config.js';

/** Without `autoUpgrade` no node is taken out, and the GPU operator, which begins none by itself, waits for ever. */
export const gpuDriverUpgraded: Rule = {
  code: 'WEFT0331',
  severity: 'warning',
  title: 'nothing upgrades the GPU driver',
  *check({ cluster: { spec, origin } }) {
    const { gpuDriver } = spec;
    if (gpuDriver === undefined || gpuDriver.upgradePolicy.autoUpgrade) return;
    yield {
      origin: within(origin, 'spec', 'gpuDriver'),
      at: 'key',
      message: gpuDriver.operator
        ? '`spec.gpuDriver` has no `autoUpgrade: true`: the companion takes no node out for the GPU operator'
        : '`spec.gpuDriver` has no `autoUpgrade: true`: the companion upgrades no GPU driver',
      help: 'set `autoUpgrade: true` in `spec.gpuDriver.upgradePolicy`, or remove the section',
    };
  },
};

/** Two flows would restart the same pods, each by its own budget. */
export const gpuDriverApart: Rule = {
  code: 'WEFT0332',
  severity: 'error',
  title: 'the GPU driver is selected by labels of the OFED driver',
  *check(config) {
    const { namespace, spec, origin } = config.cluster;
    const { gpuDriver } = spec;
    if (gpuDriver?.namespace !== namespace || configuredDrivers(config).length === 0) return;
    for (const key of ['daemonSetSelector', 'podSelector'] as const) {
      if (!matchesSelector(selectorOf(gpuDriver[key]), { [OFED_DRIVER_LABEL]: '' })) continue;
      yield {
        origin: within(origin, 'spec', 'gpuDriver', key),
        message: `\`${gpuDriver[key]}\` also selects the OFED driver, which is in namespace \`${namespace}\` too`,
        help: 'write a label that only the GPU driver has: `kubectl get daemonsets --show-labels` prints them',
      };
    }
  },
};
