import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { addOnObjects, addOnProblems } from '../../../../test/golden/add-on.js';
import { expectGolden, manifestText } from '../../../../test/golden/golden-file.js';

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
    {
      spec: '{operator: {admissionController: {enable: true, certificates: {certManager: {enable: false}}}}}',
      expected: 'caBundle` is missing: cert-manager is off, and nothing else sets it',
    },
    {
      spec: '{webhookService: {ports: [{name: a, port: 1, targetPort: 1}, {port: 2, targetPort: 1}]}}',
      expected: 'ports[1].name` is missing: there are several ports',
    },
    {
      spec: '{webhookService: {ports: [{name: a, port: 1, targetPort: 1}, {name: a, port: 2, targetPort: 1}]}}',
      expected: 'ports[1].name`: another port has the name a',
    },
    {
      spec: '{webhookService: {ports: [{name: a, port: 1, targetPort: 1}, {name: b, port: 1, targetPort: 2}]}}',
      expected: 'ports[1].port`: another port is 1/TCP too',
    },
    { spec: '{webhookService: {ports: [{port: 1, targetPort: web_hook}]}}', expected: 'must be the name of a port' },
    { spec: '{webhookService: {ports: []}}', expected: 'webhookService.ports`' },
    { spec: '{operatorConfig: {maxUnavailable: 200%}}', expected: 'a percentage such as `25%`' },
  ])('$spec: $expected', ({ spec, expected }) => {
    expect(addOnProblems(`  maintenanceOperator: ${spec}\n`)).toContainEqual(expect.stringContaining(expected));
  });
});
