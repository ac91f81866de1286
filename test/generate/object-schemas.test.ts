import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { schemaProblems, type KubernetesSchemas } from './object-schemas.js';

const configMap = (fields: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a' },
  ...fields,
});

/** A DaemonSet with one container. */
const daemonSet = (container: object, pod: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'a' },
  spec: {
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', ...container }], ...pod } },
  },
});
const POD = 'DaemonSet a.spec.template.spec';

interface Case {
  readonly name: string;
  readonly object: KubernetesObject;
  readonly expected: readonly string[];
}

const table: readonly Case[] = [
  { name: 'text in a map', object: configMap({ data: { a: 'b' }, binaryData: { c: 'AA==' } }), expected: [] },
  { name: 'an unknown field', object: configMap({ datas: {} }), expected: ['ConfigMap a.datas is unknown'] },
  {
    name: 'a number in a map',
    object: configMap({ data: { a: 1 } }),
    expected: ['ConfigMap a.data.a is no string: 1'],
  },
  { name: 'null', object: configMap({ data: null }), expected: ['ConfigMap a.data is no object: null'] },
  {
    name: 'text that is not Base64',
    object: configMap({ binaryData: { a: 'x' } }),
    expected: ['ConfigMap a.binaryData.a is not Base64: "x"'],
  },
  {
    name: 'an unknown field of the metadata',
    object: configMap({ metadata: { name: 'a', label: {} } }),
    expected: ['ConfigMap a.metadata.label is unknown'],
  },
  {
    name: 'amounts and ports',
    object: daemonSet({ resources: { limits: { cpu: '0.5', memory: 1 } }, ports: [{ containerPort: 1 }] }),
    expected: [],
  },
  {
    name: 'an unknown field deep inside',
    object: daemonSet({ securityContext: { privileges: true } }),
    expected: [`${POD}.containers[0].securityContext.privileges is unknown`],
  },
  {
    name: 'a missing field deep inside',
    object: daemonSet({ volumeMounts: [{ name: 'a' }] }),
    expected: [`${POD}.containers[0].volumeMounts[0].mountPath is missing`],
  },
  {
    name: 'a missing field at the top',
    object: { ...daemonSet({}), spec: { selector: {} } },
    expected: ['DaemonSet a.spec.template is missing'],
  },
  {
    name: 'what is no amount',
    object: daemonSet({ resources: { limits: { cpu: 'much' } } }),
    expected: [expect.stringMatching(/limits\.cpu does not fit .*: "much"$/) as unknown as string],
  },
  {
    name: 'numbers that are too large, or no whole ones',
    object: daemonSet({ startupProbe: { periodSeconds: 2 ** 31, timeoutSeconds: 0.5 } }),
    expected: [
      `${POD}.containers[0].startupProbe.periodSeconds is no int32: 2147483648`,
      `${POD}.containers[0].startupProbe.timeoutSeconds is no integer: 0.5`,
    ],
  },
  {
    name: 'two entries of one key, also where a part of the key is a default',
    object: daemonSet({
      env: [{ name: 'A' }, { name: 'A' }],
      ports: [{ containerPort: 1 }, { containerPort: 1, protocol: 'TCP' }, { containerPort: 1, protocol: 'UDP' }],
    }),
    expected: [`${POD}.containers[0].env has ["A"] twice`, `${POD}.containers[0].ports has [1,"TCP"] twice`],
  },
  {
    name: 'a port by name and one by number',
    object: daemonSet({
      livenessProbe: { httpGet: { port: 'health' } },
      readinessProbe: { httpGet: { port: 1 } },
      startupProbe: { httpGet: { port: true } },
    }),
    expected: [`${POD}.containers[0].startupProbe.httpGet.port is no integer: true`],
  },
  {
    name: 'a custom resource',
    object: {
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: { name: 'a' },
      spec: { config: {}, more: 1 },
    },
    expected: [
      'NetworkAttachmentDefinition a.spec.config is no string: {}',
      'NetworkAttachmentDefinition a.spec.more is unknown',
    ],
  },
  {
    name: 'a custom resource whose CRD is not here',
    object: {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Issuer',
      metadata: { name: 'a', labels: [] } as unknown as KubernetesObject['metadata'],
      spec: { any: 1 },
    },
    expected: ['Issuer a.metadata.labels is no object: []'],
  },
  {
    name: 'an unknown kind',
    object: { apiVersion: 'v2', kind: 'Thing', metadata: { name: 'a' } },
    expected: ['Thing a: there is no schema for v2 Thing'],
  },
];

it('the schemas are those of the Kubernetes that `npm run test:cluster` runs', () => {
  const read = (...path: readonly string[]) => readFileSync(join(__dirname, ...path), 'utf8');
  const { source } = JSON.parse(read('kubernetes.json')) as KubernetesSchemas;
  expect(read('../cluster/controlplane/go.mod')).toContain(`k8s.io/kubernetes ${source.version} `);
});

describe('schemaProblems', () => {
  it.each(table)('$name', ({ object, expected }) => {
    expect(schemaProblems(object)).toEqual(expected);
  });
});
