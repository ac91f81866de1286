import { clusterText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (deploy: boolean): string =>
  clusterText(
    `  release: v26.4\n  cni: {networkDirectory: /var/lib/rancher/k3s/agent/etc/cni/net.d}\n  whereabouts: {deploy: ${deploy}}\n  nodePools:\n${UBUNTU_POOL}`,
  );
const network = (more: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: net}\nspec:\n  ipam: {type: whereabouts, range: 10.0.0.0/24${more}}\n`;

testRule('WEFT0324', {
  valid: [
    { name: 'no files', cluster: cluster(true), network: network('') },
    {
      name: 'the files of the add-on',
      cluster: cluster(true),
      network: network(', kubernetes: {kubeconfig: /etc/cni/net.d/whereabouts.d/whereabouts.kubeconfig}'),
    },
    { name: 'another installation', cluster: cluster(false), network: network(', configuration_path: /etc/w.conf') },
  ],
  invalid: [
    {
      name: 'other files',
      cluster: cluster(true),
      network: network(', configuration_path: /etc/w.conf, kubernetes: {kubeconfig: /etc/k}'),
      expected: [
        'network.yaml:5:69 network `net` names the file `/etc/w.conf`, and the add-on writes `/etc/cni/net.d/whereabouts.d/whereabouts.conf`',
        'network.yaml:5:94 network `net` names the file `/etc/k`, and the add-on writes `/etc/cni/net.d/whereabouts.d/whereabouts.kubeconfig`',
      ],
    },
  ],
});
