import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { valueAt } from '../../../shared/lib/json.js';
import { addOnObjects, addOnProblems } from '../../../../test/golden/add-on.js';
import { expectGolden, manifestText } from '../../../../test/golden/golden-file.js';

const FOLDER = 'sriov-network-operator';
const FULL = `  sriovNetworkOperator:
    deploy: true
    fullnameOverride: sriov
    imagePullSecrets: [registry]
    operator:
      nodeSelector: {pool: infra}
      extraEnv: {RETRIES: 3}
      resourcePrefix: example.com
      metricsExporter: {port: 9200, prometheusOperator: {enabled: true}}
      externalDrainer: {enabled: true}
      admissionControllers: {enabled: true}
    sriovOperatorConfig:
      configDaemonNodeSelector: {feature.node.kubernetes.io/pci-15b3.present: "true"}
      configurationMode: systemd
      disablePlugins: [mellanox]
      featureGates: {parallelNicConfig: true}
      configDaemonEnvVars: {LEVEL: 7}
    supportedExtraNICs: {MyNIC: 8086 1521 1520}
    images: {operator: registry.example.com/sriov/operator:v1}
    draDriver: {cdiRoot: /run/cdi}
`;

describe('the SR-IOV Network Operator', () => {
  it.each([
    { name: 'minimal', spec: '  sriovNetworkOperator: {deploy: true}\n' },
    { name: 'full', spec: FULL },
  ])('$name', ({ name, spec }) => {
    expectGolden(join(__dirname, `golden/${name}.yaml`), manifestText(addOnObjects(FOLDER, spec)));
  });

  it('is not rendered by default', () => {
    expect(addOnObjects(FOLDER, '')).toEqual([]);
  });

  it('waits for the label of the driver where the gate is that label, and else for none', () => {
    const selectorWith = (gate: string) => {
      const objects = addOnObjects(FOLDER, `  sriovNetworkOperator: {deploy: true}\n  driver: {gate: ${gate}}\n`);
      const config = objects.find(({ kind }) => kind === 'SriovOperatorConfig');
      return valueAt(config, ['spec', 'configDaemonNodeSelector']);
    };
    const everywhere = { 'beta.kubernetes.io/os': 'linux' };
    expect(selectorWith('ready-file')).toEqual(everywhere);
    expect(selectorWith('label')).toEqual({ ...everywhere, 'network.nvidia.com/operator.mofed.wait': 'false' });
  });

  it('needs the rule for NVIDIA NICs where its nodes are selected by the label', () => {
    expect(addOnObjects('node-feature-discovery', FULL).map(({ metadata }) => metadata.name)).toEqual([
      'nvidia-nics-rules',
    ]);
  });

  it.each([
    {
      spec: '{operator: {admissionControllers: {certificates: {secretNames: {operator: a, injector: a}}}}}',
      expected: 'secretNames.injector`: the certificate of the webhook is in this Secret',
    },
    {
      spec: '{supportedExtraNICs: {A: "8086"}}',
      expected: 'WEFT0143 `spec.sriovNetworkOperator.supportedExtraNICs.A`',
    },
    {
      spec: '{operator: {metricsExporter: {port: x}}}',
      expected: 'WEFT0143 `spec.sriovNetworkOperator.operator.metricsExporter.port`',
    },
  ])('$spec: $expected', ({ spec, expected }) => {
    expect(addOnProblems(`  sriovNetworkOperator: ${spec}\n`)).toContainEqual(expect.stringContaining(expected));
  });
});
