import type { InputDocument } from '../../cluster/pools/cluster-of-nodes.js';
import { NETWORK_OPERATOR_API_VERSION } from '../../shared/contract/network-operator.js';

/** A policy that most clusters begin with. */
export const EXAMPLE_POLICY: InputDocument = {
  value: {
    apiVersion: NETWORK_OPERATOR_API_VERSION,
    kind: 'NicClusterPolicy',
    metadata: { name: 'nic-cluster-policy' },
    spec: {
      ofedDriver: { upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: 1, drain: { enable: true } } },
      rdmaSharedDevicePlugin: {
        config: {
          configList: [{ resourceName: 'rdma_shared_device_a', rdmaHcaMax: 63, selectors: { vendors: ['15b3'] } }],
        },
      },
    },
  },
  comments: [
    {
      path: ['apiVersion'],
      text: 'An example of what nodes get. `npx weft explain NicClusterPolicy.spec` lists all sections.',
    },
    {
      path: ['spec', 'ofedDriver'],
      text: 'The driver. Before another one is installed the node is drained, one node after another.',
    },
    {
      path: ['spec', 'rdmaSharedDevicePlugin'],
      text: 'Pods that ask for `rdma/rdma_shared_device_a: 1` share the NICs of their node.',
    },
  ],
};
