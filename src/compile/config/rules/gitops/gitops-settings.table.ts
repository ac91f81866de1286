import { clusterText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const REPOSITORY = 'repoURL: https://git.example.com/network.git';
const cluster = (gitops: string, name = 'east'): string =>
  clusterText(`  release: v26.7\n  gitops: ${gitops}\n  nodePools:\n${UBUNTU_POOL}`, name);

testRule('WEFT0450', {
  valid: [
    { name: 'none', cluster: cluster('{}') },
    { name: 'one', cluster: cluster('{flux: {}}') },
  ],
  invalid: [
    {
      name: 'two',
      cluster: cluster(`{argocd: {${REPOSITORY}}, flux: {}}`),
      expected: ['cluster.yaml:7:68 `spec.gitops` has `argocd`, `flux`, and one of them applies the output'],
    },
  ],
});

const LONG = 'a-cluster-in-a-region-with-a-rather-long-name';

testRule('WEFT0452', {
  valid: [
    { name: 'a long name without a prefix', cluster: cluster('{flux: {namePrefix: ""}}', LONG) },
    { name: 'Argo CD, which has no such label', cluster: cluster(`{argocd: {${REPOSITORY}}}`, LONG) },
  ],
  invalid: [
    {
      name: 'a long name',
      cluster: cluster('{flux: {namePrefix: networks-}}', LONG),
      expected: [
        `cluster.yaml:4:9 the Kustomization \`networks-${LONG}-components\` would have a name of 65 characters`,
      ],
    },
  ],
});

testRule('WEFT0453', {
  valid: [
    {
      name: 'a list',
      cluster: cluster(
        `{argocd: {${REPOSITORY}, applicationSet: {name: network, generator: list}, destination: {name: prod-east}}}`,
      ),
    },
    { name: 'no ApplicationSet', cluster: cluster(`{argocd: {${REPOSITORY}, destination: {name: prod-east}}}`) },
  ],
  invalid: [
    {
      name: 'folders',
      cluster: cluster(`{argocd: {${REPOSITORY}, applicationSet: {name: network}, destination: {name: prod-east}}}`),
      expected: [
        'cluster.yaml:7:100 with `generator: git` the destination is the cluster of Argo CD that has the name of the folder',
      ],
    },
  ],
});

testRule('WEFT0454', {
  valid: [{ name: 'an Application', cluster: cluster(`{argocd: {${REPOSITORY}}}`, 'argocd') }],
  invalid: [
    {
      name: 'the folder of the ApplicationSets',
      cluster: cluster(`{argocd: {${REPOSITORY}, applicationSet: {name: network}}}`, 'argocd'),
      expected: ['cluster.yaml:4:9 a cluster named `argocd` would have the folder of the ApplicationSets'],
    },
  ],
});
