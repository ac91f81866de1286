import { describe, expect, it } from '@jest/globals';
import { configDaemonText } from '../../participants/sriov/config-daemon.js';
import { reduceSriovNodeState } from './sriov-node-states.js';

const METADATA = { namespace: 'sriov', name: 'a', uid: 'u', resourceVersion: '7', generation: 3 };

describe('a SriovNetworkNodeState', () => {
  it('has what its config daemon asks for, and the resources that its policies name', () => {
    const state = reduceSriovNodeState({
      metadata: {
        ...METADATA,
        annotations: {
          'sriovnetwork.openshift.io/desired-state': 'Drain_Required',
          'sriovnetwork.openshift.io/current-state': 'Draining',
          'sriovnetwork.openshift.io/use-external-drainer': 'true',
        },
      },
      spec: {
        interfaces: [
          { vfGroups: [{ resourceName: 'rdma' }, { resourceName: 'eth' }] },
          { vfGroups: [{ resourceName: 'rdma' }, {}] },
          {},
        ],
      },
      status: { syncStatus: 'InProgress', lastSyncError: 'x' },
    });
    expect(state).toEqual({
      ...METADATA,
      ...{ desired: 'Drain_Required', current: 'Draining', isExternal: true, resources: ['rdma', 'eth'] },
      ...{ syncStatus: 'InProgress', lastSyncError: 'x' },
    });
  });

  it('that nobody wrote to asks for nothing', () => {
    expect(reduceSriovNodeState({ metadata: METADATA })).toEqual({
      ...METADATA,
      ...{
        desired: undefined,
        current: undefined,
        isExternal: false,
        resources: [],
        syncStatus: '',
        lastSyncError: '',
      },
    });
  });
});

it('long texts of a SriovNetworkNodeState do not cut off what its config daemon asks for', () => {
  const long = 'x'.repeat(200_000);
  const annotations = {
    'sriovnetwork.openshift.io/desired-state': `Drain_Required${long}`,
    'sriovnetwork.openshift.io/current-state': long,
  };
  const state = reduceSriovNodeState({
    metadata: { namespace: 'sriov', name: 'a', annotations },
    status: { syncStatus: long, lastSyncError: `no such device ${long}` },
  });
  expect(configDaemonText(state).slice(0, 270)).toMatch(
    /^its SR-IOV config daemon is x{100}… and asks for Drain_Requiredx{86}…: no such device x+$/,
  );
  expect(JSON.stringify(state).length).toBeLessThan(2_000);
});
