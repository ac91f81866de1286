import { describe, expect, it } from '@jest/globals';
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
