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
    spec: `  spectrumXOperator: {image: spectrum-x-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
`,
  },
  {
    name: 'full',
    more: `  namespace: drivers
  cni: {binDirectory: /srv/cni/bin, networkDirectory: /srv/cni/net.d}
`,
    spec: `  global: {imagePullSecrets: [everywhere]}
  spectrumXOperator:
    image: spectrum-x-operator
    repository: nvcr.io/nvidia/mellanox
    version: v1
    containerResources: [{name: spectrum-x-flowcontroller, requests: {cpu: "0.1"}, limits: {memory: 1024Mi}}]
    xPlane: {image: xplane, repository: nvcr.io/nvidia/doca, version: "1.0", imagePullSecrets: [first, second]}
  tolerations: [{key: dedicated, operator: Exists}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
`,
  },
  {
    name: 'global-does-not-fill-x-plane',
    spec: `  global: {repository: nvcr.io/nvidia/mellanox, version: v1}
  spectrumXOperator: {image: spectrum-x-operator, xPlane: {image: xplane}}
`,
    warnings: ['policy.yaml:7:51 WEFT0272 `spec.spectrumXOperator.xPlane` has no version, so XPlane is left out'],
  },
  {
    name: 'openshift',
    more: `  platform: openshift
  release: v26.4
`,
    spec: `  spectrumXOperator: {xPlane: {}}
`,
    warnings: [
      'policy.yaml:6:23 WEFT0311 release v26.4 fills `spec.spectrumXOperator.xPlane` with an image of a staging registry: `nvcr.io/nvstaging/doca`',
    ],
  },
];

describe('the manifests of spectrumXOperator', () => {
  it.each(goldens)('$name', ({ name, more, spec, warnings = [] }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(more), 'policy.yaml': policy(spec) });
    expect(problemLines(diagnostics)).toEqual(warnings);
    const objects = placed.filter(({ folder }) => folder === 'spectrum-x-operator').map(({ object }) => object);
    expectGolden(join(__dirname, 'golden', `${name}.yaml`), manifestText(objects));
  });

  const rejected: readonly { readonly name: string; readonly spec: string; readonly expected: readonly string[] }[] = [
    {
      name: 'a version that is no text',
      spec: `  spectrumXOperator: {image: spectrum-x-operator, repository: nvcr.io/nvidia/mellanox, version: v1, xPlane: {image: xplane, version: 1.0}}
`,
      expected: ['policy.yaml:6:134 WEFT0142 `spec.spectrumXOperator.xPlane.version` must be a string'],
    },
  ];

  it.each(rejected)('refuses $name', ({ spec, expected }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy(spec) });
    expect(problemLines(diagnostics)).toEqual(expected);
    expect(placed).toEqual([]);
  });
});
