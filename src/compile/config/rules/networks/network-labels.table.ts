import { testRule } from '../../../../../test/golden/rule-table.js';

const network = (metadata: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: IPoIBNetwork\nmetadata: {name: net${metadata}}\nspec: {master: ib0}\n`;

testRule('WEFT0314', {
  valid: [
    { name: 'no labels', network: network('') },
    { name: 'empty labels', network: network(', labels: {}') },
  ],
  invalid: [
    {
      name: 'labels',
      network: network(', labels: {team: a}'),
      expected: [
        'network.yaml:3:23 the labels of IPoIBNetwork `net` have no effect: its NetworkAttachmentDefinition does not get them',
      ],
      help: 'remove them, or add them with a patch in `spec.patches` of the Cluster',
    },
  ],
});
