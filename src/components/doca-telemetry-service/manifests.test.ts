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
    spec: `  docaTelemetryService: {image: doca_telemetry, repository: nvcr.io/nvidia/mellanox, version: v1}
`,
  },
  {
    name: 'full',
    more: `  namespace: drivers
  driver: {initContainerImage: ""}
`,
    spec: `  docaTelemetryService:
    image: doca_telemetry
    repository: nvcr.io/nvidia/doca
    version: v1
    config: {fromConfigMap: own-configuration}
    imagePullSecrets: [first, second]
    containerResources: [{name: doca-telemetry-service, requests: {cpu: "0.1"}, limits: {memory: 1024Mi}}]
  tolerations: [{key: dedicated, operator: Exists}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
  ofedDriver: {image: doca-driver, repository: nvcr.io/nvidia/mellanox, version: 24.10-0.7.0.0-0}
`,
  },
  {
    name: 'gate-label',
    more: `  driver: {gate: label}
`,
    spec: `  docaTelemetryService: {image: doca_telemetry, repository: nvcr.io/nvidia/mellanox, version: v1, config: {fromConfigMap: own}}
`,
    warnings: [
      'cluster.yaml:6:18 WEFT0236 with `gate: label` device plugins wait for a label that nothing in this output keeps',
    ],
  },
  {
    name: 'openshift',
    more: `  platform: openshift
  release: v26.4
`,
    spec: `  docaTelemetryService: {}
`,
  },
];

describe('the manifests of docaTelemetryService', () => {
  it.each(goldens)('$name', ({ name, more, spec, warnings = [] }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(more), 'policy.yaml': policy(spec) });
    expect(problemLines(diagnostics)).toEqual(warnings);
    const objects = placed.filter(({ folder }) => folder === 'doca-telemetry-service').map(({ object }) => object);
    expectGolden(join(__dirname, 'golden', `${name}.yaml`), manifestText(objects));
  });

  const rejected: readonly { readonly name: string; readonly spec: string; readonly expected: readonly string[] }[] = [
    {
      name: 'a name that no ConfigMap has',
      spec: `  docaTelemetryService: {image: doca_telemetry, repository: nvcr.io/nvidia/mellanox, version: v1, config: {fromConfigMap: Bad_Name}}
`,
      expected: [
        'policy.yaml:6:123 WEFT0143 `spec.docaTelemetryService.config.fromConfigMap` must be lower-case letters, digits, `-` and `.`, at most 253 of them',
      ],
    },
    {
      name: 'a configuration from nowhere',
      spec: `  docaTelemetryService: {image: doca_telemetry, repository: nvcr.io/nvidia/mellanox, version: v1, config: {}}
`,
      expected: ['policy.yaml:6:99 WEFT0141 `spec.docaTelemetryService.config.fromConfigMap` is missing'],
    },
  ];

  it.each(rejected)('refuses $name', ({ spec, expected }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy(spec) });
    expect(problemLines(diagnostics)).toEqual(expected);
    expect(placed).toEqual([]);
  });
});
