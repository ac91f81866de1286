import { expect, it } from '@jest/globals';
import { sendJson, statusBody, type Handler } from '../../../../test/kube-server/server.js';
import { serverForEachTest } from '../../../../test/kube-server/started.js';
import { createKubePort } from './kube-port.js';

const server = serverForEachTest();
const port = () => createKubePort(server.client(), 'net');

const group = (name: string, versions: readonly string[]) => ({
  ...{ name, versions: versions.map((version) => ({ version })), preferredVersion: { version: versions[0] } },
});
const kinds = (...names: readonly (readonly [string, string])[]) => ({
  resources: names.flatMap(([kind, name]) => [
    { kind, name, namespaced: false },
    { kind, name: `${name}/status`, namespaced: false },
  ]),
});

/** Answers these paths, and others as an API server does for an API that it does not have. */
function serving(answers: Readonly<Record<string, object>>): Handler {
  return ({ path }, response) => {
    const body = answers[path];
    if (body !== undefined) return sendJson(response, 200, body);
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end('404 page not found');
  };
}

const V1 = '/apis/nvidia.com/v1';
const V1ALPHA1 = '/apis/nvidia.com/v1alpha1';
const BOTH = {
  '/apis': { groups: [group('apps', ['v1']), group('nvidia.com', ['v1', 'v1alpha1'])] },
  [V1]: kinds(['ClusterPolicy', 'clusterpolicies']),
  [V1ALPHA1]: kinds(['NVIDIADriver', 'nvidiadrivers'], ['GPUCluster', 'gpuclusters']),
};
const policies = (...items: readonly object[]) => ({ [`${V1}/clusterpolicies`]: { items } });
const drivers = (...items: readonly object[]) => ({ [`${V1ALPHA1}/nvidiadrivers`]: { items } });

const DEFAULTS = {
  maxUnavailable: '25%',
  drain: { enable: false },
  usesNvidiaDrivers: false,
  sandboxWorkloads: false,
};

it('reads both kinds with the defaults of the operator, which differ', async () => {
  const absent = { metadata: { name: 'absent' }, spec: {} };
  const empty = { driver: { upgradePolicy: {} } };
  server.serve(
    serving({
      ...BOTH,
      ...policies(absent, { metadata: { name: 'empty' }, spec: empty }),
      ...drivers(absent, { metadata: { name: 'empty' }, spec: { upgradePolicy: {} } }),
    }),
  );
  expect(await port().listGpuOperatorPolicies()).toEqual({
    kind: 'ok',
    value: [
      { kind: 'ClusterPolicy', name: 'absent', autoUpgrade: false, ...DEFAULTS },
      { kind: 'ClusterPolicy', name: 'empty', autoUpgrade: false, ...DEFAULTS },
      { kind: 'NVIDIADriver', name: 'absent', autoUpgrade: true, ...DEFAULTS },
      { kind: 'NVIDIADriver', name: 'empty', autoUpgrade: true, ...DEFAULTS },
    ],
  });
});

it('reads all settings', async () => {
  const read = { autoUpgrade: true, maxUnavailable: 0 };
  const upgradePolicy = { ...read, maxParallelUpgrades: 4, drain: { enable: true, force: true } };
  const spec = { driver: { upgradePolicy, useNvidiaDriverCRD: true }, sandboxWorkloads: { enabled: true } };
  server.serve(
    serving({
      ...BOTH,
      ...policies({ metadata: { name: 'a' }, spec }),
      ...drivers({ metadata: { name: 'b' }, spec: { upgradePolicy: { ...upgradePolicy, autoUpgrade: false } } }),
    }),
  );
  const settings = { ...read, drain: { enable: true } };
  expect(await port().listGpuOperatorPolicies()).toEqual({
    kind: 'ok',
    value: [
      { kind: 'ClusterPolicy', name: 'a', ...settings, usesNvidiaDrivers: true, sandboxWorkloads: true },
      { kind: 'NVIDIADriver', name: 'b', ...DEFAULTS, ...settings, autoUpgrade: false },
    ],
  });
});

it.each<{ name: string; answers: Readonly<Record<string, object>>; found: readonly string[] }>([
  { name: 'without the group', answers: { '/apis': { groups: [group('apps', ['v1'])] } }, found: [] },
  {
    name: 'where others have kinds of the group',
    answers: { ...BOTH, [V1]: kinds(['Other', 'others']), [V1ALPHA1]: kinds(['Other', 'others']) },
    found: [],
  },
  {
    name: 'with one CRD',
    answers: { ...BOTH, [V1ALPHA1]: kinds(['Other', 'others']), ...policies({ metadata: { name: 'a' } }) },
    found: ['a'],
  },
])('a missing CRD is an answer: $name', async ({ answers, found }) => {
  server.serve(serving(answers));
  const answer = await port().listGpuOperatorPolicies();
  expect(answer.kind === 'ok' && answer.value.map(({ name }) => name)).toEqual(found);
});

it('a missing right is named', async () => {
  const message =
    'nvidiadrivers.nvidia.com is forbidden: User "sa" cannot list resource "nvidiadrivers" in API group "nvidia.com"';
  const rest = serving({ ...BOTH, ...policies(), '/readyz': {} });
  server.serve((request, response) => {
    if (request.path.endsWith('/nvidiadrivers')) return sendJson(response, 403, statusBody(403, 'Forbidden', message));
    rest(request, response);
  });
  expect(await port().listGpuOperatorPolicies()).toEqual({ kind: 'forbidden', message });
});
