import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { addOnObjects, addOnProblems } from '../../../test/golden/add-on.js';
import { expectGolden, manifestText } from '../../../test/golden/golden-file.js';

const FOLDER = 'maintenance-operator';
const FULL = `  maintenanceOperator:
    deploy: true
    fullnameOverride: maintenance
    imagePullSecrets: [{name: registry}]
    operator:
      image: {repository: registry.example.com/nvidia, tag: v1, imagePullPolicy: Always}
      nodeSelector: {pool: infra}
      tolerations: []
      replicas: 2
      serviceAccount: {annotations: {example.com/a: b}}
      admissionController:
        enable: true
        certificates: {certManager: {enable: false}, caBundle: Y2VydA==, secretNames: {operator: cert}}
    operatorConfig: {deploy: true, logLevel: debug, maxParallelOperations: 0, maxUnavailable: 10%}
    webhookService: {ports: [{name: https, port: 8443, targetPort: webhook-server}]}
`;

describe('the Maintenance Operator', () => {
  it.each([
    { name: 'minimal', spec: '  maintenanceOperator: {deploy: true}\n' },
    { name: 'full', spec: FULL },
  ])('$name', ({ name, spec }) => {
    expectGolden(join(__dirname, `golden/${name}.yaml`), manifestText(addOnObjects(FOLDER, spec)));
  });

  it('is not rendered by default', () => {
    expect(addOnObjects(FOLDER, '')).toEqual([]);
  });

  it.each([
    { spec: '{deploy: true}', expected: 'WEFT0480 `spec.maintenanceOperator` needs an image: `operator.image`' },
    {
      spec: '{operator: {admissionController: {enable: true, certificates: {certManager: {enable: false}}}}}',
      expected: 'caBundle` is missing: cert-manager is off, and nothing else sets it',
    },
    { spec: '{operatorConfig: {maxUnavailable: 200%}}', expected: 'a percentage such as `25%`' },
  ])('$spec: $expected', ({ spec, expected }) => {
    expect(addOnProblems(`  maintenanceOperator: ${spec}\n`)).toContainEqual(expect.stringContaining(expected));
  });
});
