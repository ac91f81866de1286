import { expect, it } from '@jest/globals';
import { cordoned } from '../../../../test/kit/decide-fleets.js';
import { recorded } from '../../../../test/kit/records.js';
import { GPU, gpuPod, gpuSet, ownGpu, policyFor } from '../../../../test/kit/shared-nodes.js';
import { after, node, NOW, pod, snapshot } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';
import type { SnapshotPod } from '../../model/types.js';

/** The pods that are evicted from a node with a GPU, and the warnings. */
function drained(pods: readonly SnapshotPod[], gpuPodDeletion: object) {
  const annotations = recorded({ cordon: '', wants: {}, since: { 'pod-deletion-required': NOW / 1000 - 10 } });
  const nodes = [node('a', { ...cordoned, labels: { [GPU.state]: 'pod-deletion-required' }, annotations })];
  const foreignDaemonSets = new Map([['mon/dcgm', 'present' as const]]);
  const seen = snapshot({ nodes, pods: [gpuPod('a'), ...pods], daemonSets: [gpuSet()], foreignDaemonSets });
  const policy = policyFor([ownGpu({ gpuPodDeletion })]);
  const first = decide(seen, policy, NOW);
  const { actions } = decide(after(seen, first), policy, NOW);
  const { findings } = first;
  const warnings = findings.filter(({ kind }) => kind === 'drain-warning').map(({ message }) => message);
  return [actions.flatMap((action) => (action.kind === 'evictPod' ? [action.name] : [])), warnings];
}

const byClass = pod('a', 'train', { runtimeClass: 'nvidia', labels: { app: 'train' } });
const ofDaemonSet = pod('a', 'dcgm-a', {
  ...{ namespace: 'mon', runtimeClass: 'nvidia-legacy' },
  controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'dcgm', uid: 'uid-dcgm' },
});
const warningOf = (name: string, runtimeClass: string) =>
  `pod ${name} has the runtime class ${runtimeClass} and asks for no GPU: it stays while the driver is replaced, unless \`gpuPodDeletion.podSelector\` selects it`;

it.each([
  { name: 'by its runtime class', pods: [byClass], setting: {}, expected: [[], [warningOf('apps/train', 'nvidia')]] },
  {
    name: 'as a DaemonSet',
    pods: [ofDaemonSet],
    setting: {},
    expected: [[], [warningOf('mon/dcgm-a', 'nvidia-legacy')]],
  },
  {
    name: 'that the policy selects',
    pods: [byClass],
    setting: { podSelector: 'app=train' },
    expected: [['train'], []],
  },
  {
    name: 'as a part of the operator, which stops it',
    pods: [{ ...ofDaemonSet, namespace: 'gpu' }],
    setting: {},
    expected: [[], []],
  },
  { name: 'not at all', pods: [pod('a', 'web')], setting: {}, expected: [[], []] },
])('a pod that uses a GPU without asking for one, $name', ({ pods, setting, expected }) => {
  expect(drained(pods, setting)).toEqual(expected);
});
