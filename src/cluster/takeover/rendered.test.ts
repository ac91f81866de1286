import { expect, it } from '@jest/globals';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import type { ServedKinds } from '../../cluster/reader/served.js';
import { readRendered } from './rendered.js';

/** CRDs are read one by one. */
const CRD = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const crd = (group: string) => ({ ...CRD, metadata: { name: 'a' }, spec: { group } });
const served: ServedKinds = new Map([
  [`${CRD.apiVersion} ${CRD.kind}`, { ...CRD, plural: 'customresourcedefinitions', isNamespaced: false }],
]);
const failed = (status: number, message: string) => ({ status, body: { kind: 'Status', code: status, message } });

/** A server that has the object, and answers so to a dry run. */
function clientWith(applied: { readonly status: number; readonly body: object }): ApiClient {
  const call: ApiClient['call'] = ({ method }) => {
    const { status, body } = method === 'PATCH' ? applied : { status: 200, body: crd('old') };
    return Promise.resolve({ kind: 'reply', status, headers: {}, body: JSON.stringify(body) });
  };
  return { call } as ApiClient;
}

it.each([
  { name: 'another value', applied: { status: 200, body: crd('new') }, expected: { change: 'update' } },
  { name: 'the same', applied: { status: 200, body: crd('old') }, expected: {} },
  { name: 'an invalid object', applied: failed(422, 'no'), expected: { refused: '422: no' } },
  { name: 'a webhook that refuses', applied: failed(403, 'denied'), expected: { refused: 'denied' } },
  { name: 'a webhook without a dry run', applied: failed(400, 'does not support dry run'), expected: {} },
  { name: 'a missing right', applied: failed(403, 'User "u" cannot patch resource "x"'), expected: {} },
])('what applying changes: $name', async ({ applied, expected }) => {
  const object = crd('new');
  const { rendered } = await readRendered(clientWith(applied), served, [object], true);
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/a';
  const reference = 'customresourcedefinitions.apiextensions.k8s.io/a';
  expect(rendered).toEqual([{ object, path, reference, live: crd('old'), ...expected }]);
});
