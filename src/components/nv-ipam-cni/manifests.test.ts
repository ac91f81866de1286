import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { expectGolden, manifestText } from '../../../test/golden/golden-file.js';

const cluster = (more = ''): string => clusterText(`${more}  nodePools:\n${UBUNTU_POOL}`);
const policy = (spec: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);

interface Golden {
  readonly name: string;
  readonly more?: string;
  readonly spec: string;
  readonly warnings?: readonly string[];
}

const goldens: readonly Golden[] = [
  {
    name: 'minimal',
    spec: `  nvIpam: {image: nvidia-k8s-ipam, repository: nvcr.io/nvidia/mellanox, version: v1}
`,
  },
  {
    name: 'full',
    more: `  namespace: drivers
  cni: {binDirectory: /srv/cni/bin, networkDirectory: /srv/cni/net.d}
`,
    spec: `  nvIpam:
    image: nvidia-k8s-ipam
    repository: nvcr.io/nvidia/mellanox
    version: sha256:${'0'.repeat(64)}
    enableWebhook: true
    imagePullSecrets: [first, second]
    containerResources: [{name: nv-ipam-node, requests: {cpu: "0.1", memory: 64Mi}, limits: {memory: 1024Mi}}]
  tolerations: [{key: dedicated, operator: Exists}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
  deploymentTolerations: [{key: infra, operator: Exists, effect: NoSchedule}]
  deploymentNodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: infra, operator: Exists}]}]}
    preferredDuringSchedulingIgnoredDuringExecution: [{weight: 20, preference: {matchExpressions: [{key: disk, operator: NotIn, values: [hdd]}]}}]
`,
    warnings: [
      'policy.yaml:10:20 WEFT0266 `spec.nvIpam.enableWebhook` needs the API `cert-manager.io`, of which the input has nothing',
    ],
  },
  {
    name: 'openshift',
    more: `  platform: openshift
`,
    spec: `  nvIpam: {image: nvidia-k8s-ipam, repository: nvcr.io/nvidia/mellanox, version: v1, enableWebhook: true}
`,
  },
  {
    name: 'image-of-the-release',
    more: `  release: v26.4
`,
    spec: `  nvIpam: {}
`,
  },
];

describe('the manifests of nvIpam', () => {
  it.each(goldens)('$name', ({ name, more, spec, warnings = [] }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(more), 'policy.yaml': policy(spec) });
    expect(problemLines(diagnostics)).toEqual(warnings);
    const objects = placed.filter(({ folder }) => folder === 'nv-ipam-cni').map(({ object }) => object);
    expectGolden(join(__dirname, 'golden', `${name}.yaml`), manifestText(objects));
  });

  const rejected: readonly { readonly name: string; readonly spec: string; readonly expected: readonly string[] }[] = [
    {
      name: 'a misspelt key',
      spec: `  nvIpam: {image: nvidia-k8s-ipam, repository: nvcr.io/nvidia/mellanox, version: v1, enableWebHook: true}
`,
      expected: ['policy.yaml:6:86 WEFT0140 `spec.nvIpam` has no key `enableWebHook`'],
    },
    {
      name: 'a section without an image',
      spec: `  nvIpam: {repository: nvcr.io/nvidia/mellanox, version: v1}
`,
      expected: ['policy.yaml:6:3 WEFT0200 `spec.nvIpam.image` is missing'],
    },
    {
      name: 'amounts for a container that does not exist',
      spec: `  nvIpam: {image: nvidia-k8s-ipam, repository: nvcr.io/nvidia/mellanox, version: v1, containerResources: [{name: nv-ipam}]}
`,
      expected: [
        'policy.yaml:6:114 WEFT0202 `spec.nvIpam.containerResources` names a container `nv-ipam` that does not exist',
      ],
    },
  ];

  it.each(rejected)('refuses $name', ({ spec, expected }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy(spec) });
    expect(problemLines(diagnostics)).toEqual(expected);
    expect(placed).toEqual([]);
  });
});
