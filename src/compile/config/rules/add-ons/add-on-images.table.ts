import { clusterText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (spec: string): string => clusterText(`${spec}  nodePools:\n${UBUNTU_POOL}`);

testRule('WEFT0480', {
  valid: [
    { name: 'the images of a release', cluster: cluster('  release: v26.4\n  whereabouts: {deploy: true}\n') },
    { name: 'an image of the section', cluster: cluster('  whereabouts: {image: "registry.example.com/w:v1"}\n') },
  ],
  invalid: [
    {
      name: 'one image',
      cluster: cluster('  maintenanceOperator: {deploy: true}\n'),
      expected: ['cluster.yaml:6:3 `spec.maintenanceOperator` needs an image: `operator.image`'],
      help: 'set `spec.release`, which knows them, or give them in the section',
    },
    {
      name: 'several',
      cluster: cluster('  sriovNetworkOperator: {deploy: true}\n'),
      expected: [
        'cluster.yaml:6:3 `spec.sriovNetworkOperator` needs images: `operator`, `sriovConfigDaemon`, `sriovCni`, `ibSriovCni`, `ovsCni`, `rdmaCni`, `sriovDevicePlugin`, `webhook`',
      ],
    },
  ],
});
