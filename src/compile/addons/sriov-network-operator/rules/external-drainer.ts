import { isObject, valueAt } from '../../../../shared/lib/json.js';
import { within, type Rule } from '../../../model/config.js';
import type { SriovNetworkOperatorSpec } from '../schema.js';

/** An operator that something else deploys has this setting as its environment variable `USE_EXTERNAL_DRAINER`. */
export const externalDrainerDeployed: Rule = {
  code: 'WEFT0335',
  severity: 'warning',
  title: 'nodes are to be drained for an SR-IOV operator that the input does not deploy',
  *check({ addOns, cluster: { origin } }) {
    const spec = addOns.get('sriov-network-operator') as SriovNetworkOperatorSpec;
    if (spec.deploy || !('operator' in spec) || !spec.operator.externalDrainer.enabled) return;
    yield {
      origin: within(origin, 'spec', 'sriovNetworkOperator', 'operator', 'externalDrainer', 'enabled'),
      message:
        '`externalDrainer.enabled: true` has no effect without `deploy: true`: the companion drains no node for virtual functions',
      label: 'an operator with `USE_EXTERNAL_DRAINER=true` waits for ever',
      help: 'set `spec.sriovNetworkOperator.deploy: true`; if something else deploys the operator, remove `externalDrainer`, and the operator drains by itself',
    };
  },
};

/** The companion reads them only where it drains; the operator's own drain has no settings. */
export const externalDrainerEnabled: Rule = {
  code: 'WEFT0336',
  severity: 'warning',
  title: 'a setting of the external drainer has no effect',
  *check({ addOns, cluster: { origin } }) {
    const spec = addOns.get('sriov-network-operator') as SriovNetworkOperatorSpec;
    if (!('operator' in spec) || spec.operator.externalDrainer.enabled) return;
    const path = ['spec', 'sriovNetworkOperator', 'operator', 'externalDrainer'];
    const given = valueAt(origin.document.value, path);
    for (const key of isObject(given) ? Object.keys(given) : []) {
      if (key === 'enabled') continue;
      yield {
        origin: within(origin, ...path, key),
        at: 'key',
        message: `\`externalDrainer.${key}\` has no effect: the operator drains by itself`,
        help: 'set `externalDrainer.enabled: true`, and the companion drains, or remove it',
      };
    }
  },
};
