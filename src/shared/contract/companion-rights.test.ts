import { describe, expect, it } from '@jest/globals';
import { companionRights } from './companion-rights.js';

const OFED = { kind: 'ofed', namespace: 'net' } as const;
const GPU = { kind: 'gpu', namespace: 'gpu' } as const;
const OF_OPERATOR = { kind: 'gpu-operator', namespace: 'gpu' } as const;

type Drivers = Parameters<typeof companionRights>[0]['drivers'];

function clusterWide(drivers: Drivers): readonly string[] {
  return companionRights({ drivers }, 'net').cluster.map(({ verbs, resource }) => `${verbs.join()} ${resource}`);
}

function within(drivers: Drivers, namespace: string): readonly string[] {
  const rights = companionRights({ drivers }, 'net').namespaces.get(namespace) ?? [];
  return rights.filter(({ name }) => name === undefined).map(({ verbs, resource }) => `${verbs.join()} ${resource}`);
}

describe('rights in the whole cluster', () => {
  const claims = 'list,watch resourceclaims';
  const policies = ['list clusterpolicies', 'list nvidiadrivers'];

  it.each<{ name: string; drivers: Drivers; more: readonly string[] }>([
    { name: 'without a GPU driver', drivers: [OFED], more: [] },
    { name: 'with a GPU driver that the companion restarts', drivers: [OFED, GPU], more: [claims] },
    { name: 'with one that the GPU operator restarts', drivers: [OF_OPERATOR], more: [claims, ...policies] },
  ])('$name', ({ drivers, more }) => {
    expect(clusterWide(drivers)).toEqual([...clusterWide([]), ...more]);
  });

  it.each([
    { afterDrainTimeout: undefined, isAllowed: false },
    { afterDrainTimeout: 'fail', isAllowed: false },
    { afterDrainTimeout: 'deletePods', isAllowed: true },
    { afterDrainTimeout: 'deletePodsIgnoringBudgets', isAllowed: true },
  ] as const)('to delete any pod, with afterDrainTimeout $afterDrainTimeout', ({ afterDrainTimeout, isAllowed }) => {
    const { cluster } = companionRights({ drivers: [OFED], rollout: { afterDrainTimeout } }, 'net');
    expect(cluster.some(({ verbs, resource }) => resource === 'pods' && verbs.includes('delete'))).toBe(isAllowed);
  });
});

it('Events are written in two namespaces alone', () => {
  expect(clusterWide([OFED, GPU]).filter((right) => right.endsWith('events'))).toEqual([]);
  const { namespaces } = companionRights({ drivers: [OFED, GPU] }, 'net');
  const withEvents = [...namespaces].filter(([, rights]) => rights.some(({ resource }) => resource === 'events'));
  expect(withEvents.map(([name]) => name)).toEqual(['net', 'default']);
});

describe('rights in a namespace', () => {
  const seen = ['list,watch daemonsets', 'list,watch controllerrevisions'];
  const events = 'create,patch events';
  const own = ['create leases', 'create events', 'create configmaps'];

  it.each<{ name: string; drivers: Drivers; namespace: string; expected: readonly string[] }>([
    {
      name: 'of the companion and its driver',
      drivers: [OFED, GPU],
      namespace: 'net',
      expected: ['delete pods', 'list,watch,delete daemonsets', 'list,watch controllerrevisions', ...own],
    },
    { name: 'of the companion alone', drivers: [GPU], namespace: 'net', expected: [...seen, ...own] },
    { name: 'of a selected driver', drivers: [OFED, GPU], namespace: 'gpu', expected: ['delete pods', ...seen] },
    { name: 'of a driver that the operator restarts', drivers: [OF_OPERATOR], namespace: 'gpu', expected: seen },
    { name: 'of no driver', drivers: [OFED], namespace: 'gpu', expected: [] },
    { name: 'of the Events of nodes', drivers: [OFED, GPU], namespace: 'default', expected: [events] },
    {
      name: 'of the Events of nodes, with a driver',
      drivers: [{ ...GPU, namespace: 'default' }],
      namespace: 'default',
      expected: ['delete pods', ...seen, events],
    },
  ])('$name', ({ drivers, namespace, expected }) => {
    expect(within(drivers, namespace)).toEqual(expected);
  });
});

describe('rights for SR-IOV', () => {
  const SRIOV = { kind: 'sriov', namespace: 'sriov' } as const;
  const nodeStates = { namespace: 'sriov', resourcePrefix: 'nvidia.com/' };
  const verbsIn = (drivers: Drivers) =>
    (companionRights({ drivers, sriovNodeStates: nodeStates }, 'net').namespaces.get('sriov') ?? []).map(
      ({ verbs, resource }) => `${verbs.join()} ${resource}`,
    );

  it('are to read what node states say, and to answer only where the companion drains', () => {
    expect(verbsIn([OFED])).toEqual(['list,watch sriovnetworknodestates']);
    expect(verbsIn([OFED, SRIOV])).toEqual(['list,watch,patch sriovnetworknodestates']);
  });
});

describe('rights for the Maintenance Operator', () => {
  it('are to ask for nodes and to give them back, in the namespace of the objects', () => {
    const nodeMaintenance = { namespace: 'mo', namePrefix: 'x', requestorID: 'x.y' };
    const { cluster, namespaces } = companionRights({ drivers: [OFED], nodeMaintenance }, 'net');
    expect(namespaces.get('mo')).toEqual([
      {
        verbs: ['list', 'watch', 'create', 'patch', 'delete'],
        group: 'maintenance.nvidia.com',
        resource: 'nodemaintenances',
      },
    ]);
    expect(cluster).toEqual(companionRights({ drivers: [OFED] }, 'net').cluster);
  });
});
