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
    spec: `  nicFeatureDiscovery: {image: nic-feature-discovery, repository: nvcr.io/nvidia/mellanox, version: v1}
`,
  },
  {
    name: 'full',
    more: `  namespace: drivers
`,
    spec: `  nicFeatureDiscovery:
    image: nic-feature-discovery
    repository: nvcr.io/nvidia/mellanox
    version: v1
    imagePullSecrets: [first, second]
    containerResources: [{name: nic-feature-discovery, requests: {cpu: "0.1"}, limits: {memory: 1024Mi}}]
  tolerations: [{key: dedicated, operator: Exists}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
`,
  },
  {
    name: 'openshift',
    more: `  platform: openshift
  release: v26.4
`,
    spec: `  nicFeatureDiscovery: {}
`,
  },
];

describe('the manifests of nicFeatureDiscovery', () => {
  it.each(goldens)('$name', ({ name, more, spec, warnings = [] }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(more), 'policy.yaml': policy(spec) });
    expect(problemLines(diagnostics)).toEqual(warnings);
    const objects = placed.filter(({ folder }) => folder === 'nic-feature-discovery').map(({ object }) => object);
    expectGolden(join(__dirname, 'golden', `${name}.yaml`), manifestText(objects));
  });

  const rejected: readonly { readonly name: string; readonly spec: string; readonly expected: readonly string[] }[] = [
    {
      name: 'a section without a version',
      spec: `  nicFeatureDiscovery: {image: nic-feature-discovery, repository: nvcr.io/nvidia/mellanox}
`,
      expected: ['policy.yaml:6:3 WEFT0200 `spec.nicFeatureDiscovery.version` is missing'],
    },
  ];

  it.each(rejected)('refuses $name', ({ spec, expected }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy(spec) });
    expect(problemLines(diagnostics)).toEqual(expected);
    expect(placed).toEqual([]);
  });
});
