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
