import { expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { diffCluster } from '../diff/diff.js';

const configOf = (name: string, state: string, config: unknown): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'ns', labels: { 'nvidia.network-operator.state': state } },
  data: { 'config.json': typeof config === 'string' ? config : JSON.stringify(config) },
});

const rdma = (name: string, ...resources: readonly string[]) =>
  configOf(name, 'state-RDMA-device-plugin', {
    configList: resources.map((resourceName) => ({ resourceName, rdmaHcaMax: 1 })),
  });

const RDMA = 'state-RDMA-device-plugin';
const config = (resourceName: string, rdmaHcaMax: number, device: string, name = 'a') =>
  configOf(name, RDMA, { configList: [{ resourceName, rdmaHcaMax, devices: [device] }] });

const functions = (name: string, resourceName: string): KubernetesObject => ({
  apiVersion: 'sriovnetwork.openshift.io/v1',
  kind: 'SriovNetworkNodePolicy',
  metadata: { name, namespace: 'ns' },
  spec: { resourceName, numVfs: 4 },
});
const ANEW = 'the SR-IOV network operator sets up the nodes that it selects anew, which may drain and restart them';

const operator = (prefix: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'sriov-network-operator', namespace: 'ns' },
  spec: { template: { spec: { containers: [{ name: 'a', env: [{ name: 'RESOURCE_PREFIX', value: prefix }] }] } } },
});

const sriov = configOf('sriov', 'state-SRIOV-device-plugin', {
  resourceList: [{ resourceName: 'vfs', resourcePrefix: 'nvidia.com' }, { resourceName: 'vfs' }],
});

it.each<{
  readonly name: string;
  readonly old: readonly KubernetesObject[];
  readonly next: readonly KubernetesObject[];
  readonly notes: readonly string[];
}>([
  {
    name: 'a device plugin that goes',
    old: [rdma('a', 'one', 'two')],
    next: [],
    notes: [
      'no node offers `rdma/one`, `rdma/two` any more: pods that request it are not scheduled; running pods keep their devices',
    ],
  },
  {
    name: 'resources with the prefix that the plugin gives them',
    old: [sriov],
    next: [],
    notes: [
      'no node offers `nvidia.com/vfs`, `intel.com/vfs` any more: pods that request it are not scheduled; running pods keep their devices',
    ],
  },
  {
    name: 'one of several resources',
    old: [rdma('a', 'one', 'two')],
    next: [rdma('a', 'one', 'three')],
    notes: [
      'no node offers `rdma/two` any more: pods that request it are not scheduled; running pods keep their devices',
    ],
  },
  {
    name: 'a number that is lowered, and other devices',
    old: [config('rdma_a', 63, 'ens1'), config('rdma_b', 10, 'ens2', 'b')],
    next: [config('rdma_a', 8, 'ens1'), config('rdma_b', 10, 'ens3', 'b')],
    notes: [
      'a node offers 8 of `rdma/rdma_a`, 63 before: running pods keep their devices; new pods that request it wait while so many are in use',
      '`rdma/rdma_b` has other devices: running pods keep theirs; where a node has fewer of them, fewer pods are scheduled',
    ],
  },
  { name: 'a number that is raised', old: [config('a', 8, 'ens1')], next: [config('a', 63, 'ens1')], notes: [] },
  {
    name: 'a prefix that changes',
    old: [configOf('a', RDMA, { configList: [{ resourceName: 'a', resourcePrefix: 'x.com', rdmaHcaMax: 1 }] })],
    next: [rdma('a', 'a')],
    notes: [
      'no node offers `x.com/a` any more: pods that request it are not scheduled; running pods keep their devices',
    ],
  },
  {
    name: 'a SriovNetworkNodePolicy that goes, and one with another resource',
    old: [functions('a', 'vf_a'), functions('b', 'vf_b'), functions('c', 'vf_c')],
    next: [functions('b', 'vf_x'), functions('c', 'vf_c')],
    notes: [
      ANEW,
      'no policy makes virtual functions for `vf_a` any more: pods that request it are not scheduled',
      ANEW,
      'no policy makes virtual functions for `vf_b` any more: pods that request it are not scheduled',
    ],
  },
  {
    name: 'virtual functions under another prefix',
    old: [operator('openshift.io')],
    next: [operator('nvidia.com')],
    notes: [
      'resources of virtual functions are called `nvidia.com/…`, `openshift.io/…` before: pods that request them by the old names are not scheduled',
    ],
  },
  {
    name: 'a resource that another plugin still offers',
    old: [rdma('a', 'one', 'two'), rdma('b', 'one')],
    next: [rdma('b', 'one')],
    notes: [
      'no node offers `rdma/two` any more: pods that request it are not scheduled; running pods keep their devices',
      'offers `rdma/one` no longer: pods that request it are scheduled only where another device plugin offers it',
    ],
  },
  { name: 'a resource that is added', old: [rdma('a', 'one')], next: [rdma('a', 'one', 'two')], notes: [] },
  {
    name: 'a configuration that is no JSON, and one of another component',
    old: [configOf('a', 'state-RDMA-device-plugin', '{'), configOf('b', 'state-nv-ipam-cni', { configList: [{}] })],
    next: [],
    notes: [],
  },
])('names the resources of $name', ({ old, next, notes }) => {
  const { objects } = diffCluster({ name: 'east', old: { objects: old }, next: { objects: next, coverage: [] } });
  expect(objects.flatMap((object) => object.notes)).toEqual(notes);
});
