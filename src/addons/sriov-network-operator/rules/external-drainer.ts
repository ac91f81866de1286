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
