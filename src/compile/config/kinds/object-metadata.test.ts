import { describe, expect, it } from '@jest/globals';
import { compile, PLAIN_CLUSTER, problemLines } from '../../../../test/golden/compile.js';

const outputOf = (document: unknown) => {
  const { placed, diagnostics } = compile({ 'cluster.yaml': PLAIN_CLUSTER, 'o.yaml': JSON.stringify(document) });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return placed.find(({ object }) => object.metadata.name === 'a')?.object;
};

const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'b', uid: 'c', controller: true };
const written = {
  name: 'a',
  namespace: 'b',
  labels: { c: 'd' },
  annotations: { e: 'f' },
  finalizers: ['resources-finalizer.argocd.argoproj.io', 'example.com/wait'],
  generateName: 'a-',
  ownerReferences: [owner],
};
/** What `kubectl get -o yaml --show-managed-fields` has of an object that is being deleted. */
const ofServer = {
  creationTimestamp: '2026-01-01T00:00:00Z',
  deletionGracePeriodSeconds: 0,
  deletionTimestamp: '2026-01-02T00:00:00Z',
  generation: 3,
  managedFields: [{ manager: 'kubectl' }],
  resourceVersion: '17',
  selfLink: '/api',
  uid: '0000',
};

/** One of each schema: any object, one whose definition is here, and a ConfigMap. */
const kinds = [
  { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', spec: { project: 'default' } },
  { apiVersion: 'k8s.cni.cncf.io/v1', kind: 'NetworkAttachmentDefinition', spec: { config: '{"type": "macvlan"}' } },
  { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } },
];

describe.each(kinds)('the metadata of $kind', (kind) => {
  it('goes to the output as far as people write it', () => {
    const exported = { ...kind, metadata: { ...written, ...ofServer } };
    expect(outputOf(exported)).toEqual({ ...kind, metadata: written });
  });

  it.each([
    { metadata: { finalizer: [] }, expected: 'WEFT0140 `metadata` has no key `finalizer`', help: 'finalizers' },
    { metadata: { label: {} }, expected: 'WEFT0140 `metadata` has no key `label`', help: 'labels' },
    { metadata: { finalizers: 'a.b/c' }, expected: 'WEFT0142 `metadata.finalizers` must be a list', help: undefined },
    {
      metadata: { finalizers: ['a/b/c'] },
      expected: 'WEFT0143 `metadata.finalizers[0]` must be a name, with an optional domain and `/` before it',
      help: undefined,
    },
    {
      metadata: { ownerReferences: [{ ...owner, uid: undefined }] },
      expected: 'WEFT0141 `metadata.ownerReferences[0].uid` is missing',
      help: undefined,
    },
    {
      metadata: { ownerReferences: [{ ...owner, Controller: true }] },
      expected: 'WEFT0140 `metadata.ownerReferences[0]` has no key `Controller`',
      help: 'controller',
    },
  ])('is checked: $expected', ({ metadata, expected, help }) => {
    const document = JSON.stringify({ ...kind, metadata: { name: 'a', ...metadata } });
    const { diagnostics } = compile({ 'cluster.yaml': PLAIN_CLUSTER, 'o.yaml': document });
    expect(problemLines(diagnostics).map((line) => line.replace(/^\S+ /, ''))).toEqual([expected]);
    expect(diagnostics[0]?.help).toBe(help === undefined ? undefined : `did you mean \`${help}\`?`);
  });

  it('must have a name, whatever `generateName` says', () => {
    const document = JSON.stringify({ ...kind, metadata: { generateName: 'a-' } });
    const { diagnostics } = compile({ 'cluster.yaml': PLAIN_CLUSTER, 'o.yaml': document });
    expect(problemLines(diagnostics)).toEqual([expect.stringMatching(/WEFT0141 `metadata\.name` is missing$/)]);
  });
});
