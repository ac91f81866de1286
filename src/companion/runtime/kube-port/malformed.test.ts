import { expect, it } from '@jest/globals';
import { listAll } from '../../../shared/kube-client/list.js';
import { fakeClient } from '../../../../test/fuzz/served.js';
import { eachOnce } from '../process/output.js';
import { createKubePort } from './kube-port.js';

const STATES = '/apis/sriovnetwork.openshift.io/v1/sriovnetworknodestates';
const REVISIONS = '/apis/apps/v1/controllerrevisions';
const list = (...items: readonly (object | null)[]) => ({ metadata: { resourceVersion: '1' }, items: [...items] });
const version = { version: 'v1' };

it('objects of any shape do not end the companion, which says once what it does not read', async () => {
  const state = { metadata: { name: 'a', namespace: 'sriov' }, spec: { interfaces: 'all' }, status: { syncStatus: 3 } };
  const revision = { metadata: { name: 'r', namespace: 'nno' }, data: { spec: { template: { spec: [] } } } };
  const said: string[] = [];
  const client = fakeClient({
    '/apis': { groups: [{ name: 'sriovnetwork.openshift.io', versions: [version], preferredVersion: version }] },
    [STATES]: list(null, state, { metadata: { name: 'b' }, spec: '@deeper' }),
    [REVISIONS]: list(revision),
  } as never);
  const port = createKubePort(
    client,
    'nno',
    undefined,
    eachOnce((message) => said.push(message)),
  );
  for (let run = 0; run < 2; run += 1) {
    expect(await port.list('sriovNodeStates')).toMatchObject({
      kind: 'ok',
      value: {
        items: [
          { name: 'a', resources: [], syncStatus: '' },
          { name: 'b', resources: [] },
        ],
      },
    });
    expect(await port.list('revisions')).toMatchObject({ kind: 'ok', value: { items: [{ namespace: 'nno' }] } });
  }
  expect(said).toEqual([
    'SriovNetworkNodeState sriov/a: `spec.interfaces` is no list, and counts as absent',
    'SriovNetworkNodeState sriov/a: `status.syncStatus` is no text, and counts as absent',
    'ControllerRevision nno/r: `data.spec.template.spec` is no mapping, and counts as absent',
  ]);
});

it('a list with an item that is no JSON is asked for again, and does not end the process', async () => {
  const client = fakeClient({ '/api/v1/pods': { metadata: {}, items: [{ a: '@broken' }] } });
  const says = 'GET /api/v1/pods: the answer is no List';
  expect(await listAll(client, '/api/v1/pods', (item) => item)).toEqual({ kind: 'retry', message: says });
});

it('objects of built-in kinds are read without a field that has another type, too', async () => {
  const named = { metadata: { name: 'a', labels: null, annotations: 7, ownerReferences: [null, { kind: 3 }] } };
  const wrong = {
    ...named,
    spec: { taints: 'all', containers: [{ env: 'x' }] },
    status: { conditions: [4] },
    data: [],
  };
  const status = '/api/v1/namespaces/nno/configmaps/weft-companion-status';
  const client = fakeClient({
    '/api/v1/nodes': list(wrong),
    '/api/v1/pods': list(wrong),
    '/apis/apps/v1/daemonsets': list(wrong),
    '/apis/policy/v1/poddisruptionbudgets': list(wrong),
    [status]: { metadata: null, data: { a: 3, b: 'x' } },
  } as never);
  const port = createKubePort(client, 'nno');
  const one = { kind: 'ok', value: { items: [{ name: 'a', labels: {} }] } };
  expect(await port.list('nodes')).toMatchObject(one);
  expect(await port.list('pods')).toMatchObject(one);
  expect(await port.list('daemonSets')).toMatchObject(one);
  expect(await port.listBudgets()).toMatchObject({ kind: 'ok', value: [{ name: 'a' }] });
  expect(await port.readStatus()).toMatchObject({ kind: 'ok', value: { annotations: {}, data: { b: 'x' } } });
});
