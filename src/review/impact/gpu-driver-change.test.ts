import { describe, expect, it } from '@jest/globals';
import { clusterText, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { sideOf } from '../../../test/review/sides.js';
import { policyNotes } from './policy-change.js';

const OFED = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '  ofedDriver: {upgradePolicy: {autoUpgrade: true, drain: {}}}\n',
);

/** The policy of a cluster with OFED and this `gpuDriver`; undefined: it has none. */
function policyOf(gpuDriver: string | undefined, ofed = OFED) {
  const section = gpuDriver === undefined ? '' : `  gpuDriver: ${gpuDriver}\n`;
  return sideOf({
    'cluster.yaml': clusterText(`  release: v26.7\n  nodePools:\n${UBUNTU_POOL}${section}`),
    'policy.yaml': ofed,
  }).policy;
}

const upgraded = (settings = '', more = '') => `{${more}upgradePolicy: {autoUpgrade: true${settings}}}`;
const OF_OPERATOR = upgraded('', 'operator: true, ');
const STAYS = 'a node that is in progress stays cordoned: let the companion finish it first';
const NEW_OF_OPERATOR =
  'the companion takes the nodes out whose GPU driver the GPU operator wants to upgrade; the ClusterPolicy needs `maxUnavailable: "0%"`, or the operator begins nodes by itself';
const GONE_OF_OPERATOR = `the companion takes no node out for the GPU operator any more, which begins none either with \`maxUnavailable: "0%"\`; ${STAYS}`;
const WITHOUT_OFED = policyText('NicClusterPolicy', 'nic-cluster-policy', '  nvIpam: {}\n');

describe('a GPU driver', () => {
  it.each([
    {
      name: 'that the companion upgrades',
      section: upgraded(),
      there:
        'the companion upgrades the GPU driver of namespace `gpu-operator` on its nodes, and evicts the pods that hold a GPU',
      back: `the companion upgrades the GPU driver no more; ${STAYS}`,
    },
    { name: 'that the GPU operator restarts', section: OF_OPERATOR, there: NEW_OF_OPERATOR, back: GONE_OF_OPERATOR },
    {
      name: 'that is not upgraded',
      section: '{}',
      there: 'the GPU driver is new, without `autoUpgrade`: the companion upgrades it on no node',
      back: `the companion upgrades the GPU driver no more; ${STAYS}`,
    },
  ])('$name comes and goes', ({ section, there, back }) => {
    expect(policyNotes(policyOf(undefined), policyOf(section))).toEqual([there]);
    expect(policyNotes(policyOf(section), policyOf(undefined))).toEqual([back]);
    expect(policyNotes(policyOf(section), policyOf(section))).toEqual([]);
  });

  it('comes with the companion where no other driver is upgraded', () => {
    const after = policyOf(OF_OPERATOR, WITHOUT_OFED);
    expect(policyOf(undefined, WITHOUT_OFED)).toBeUndefined();
    expect(policyNotes(undefined, after)).toEqual([
      'the companion is new: it upgrades nodes from now on',
      NEW_OF_OPERATOR,
    ]);
    expect(policyNotes(after, undefined)).toEqual([
      'the companion goes: nothing upgrades nodes any more',
      GONE_OF_OPERATOR,
    ]);
  });

  it.each([
    {
      from: upgraded(),
      to: OF_OPERATOR,
      there: `the GPU operator restarts the GPU driver, on nodes that the companion has taken out; the ClusterPolicy needs \`maxUnavailable: "0%"\`; ${STAYS}`,
      back: `the companion restarts the GPU driver, and does nothing for it while the GPU operator runs; ${STAYS}`,
    },
    {
      from: upgraded(),
      to: '{upgradePolicy: {autoUpgrade: false}}',
      there: 'GPU: `autoUpgrade` is not set any more: no node is upgraded',
      back: 'GPU: `autoUpgrade` is set: nodes are upgraded from now on',
    },
    {
      from: upgraded(),
      to: upgraded(', maxUnavailable: 3'),
      there: 'GPU: nodes that may be unavailable at once: 3; before: 25%',
      back: 'GPU: nodes that may be unavailable at once: 25%; before: 3',
    },
    {
      from: upgraded(),
      to: upgraded(', gpuPodDeletion: {force: true}'),
      there:
        'GPU: `gpuPodDeletion.force` is set: pods without a controller that hold a GPU are evicted, and nothing creates them again',
      back: 'GPU: `gpuPodDeletion.force` is not set any more: nodes where a pod without a controller holds a GPU are drained, or fail',
    },
    {
      from: upgraded(),
      to: upgraded(', gpuPodDeletion: {deleteEmptyDir: true}'),
      there:
        'GPU: `gpuPodDeletion.deleteEmptyDir` is set: pods with local data that hold a GPU are evicted, and lose it',
      back: 'GPU: `gpuPodDeletion.deleteEmptyDir` is not set any more: nodes where a pod with local data holds a GPU are drained, or fail',
    },
    {
      from: upgraded(),
      to: upgraded(', gpuPodDeletion: {podSelector: "app=train"}'),
      there: 'GPU: pods that are evicted although they ask for no GPU: app=train; before: none',
      back: 'GPU: pods that are evicted although they ask for no GPU: none; before: app=train',
    },
    {
      from: upgraded(),
      to: upgraded(', gpuPodDeletion: {timeoutSeconds: 0}'),
      there: 'GPU: seconds after which a node whose pods still hold a GPU is drained, or fails: never; before: 300',
      back: 'GPU: seconds after which a node whose pods still hold a GPU is drained, or fails: 300; before: never',
    },
    {
      from: upgraded(),
      to: upgraded(', drain: {enable: true}'),
      there: 'GPU: nodes where pods still hold a GPU are drained',
      back: 'GPU: nodes where pods still hold a GPU fail: they are not drained any more',
    },
    {
      from: upgraded(', drain: {enable: true}'),
      to: upgraded(', drain: {enable: true, podSelector: a=b}'),
      there: 'GPU: nodes where other pods hold a GPU fail: a drain evicts only pods with `a=b`',
      back: 'GPU: a drain evicts all pods of the node',
    },
    {
      from: upgraded(),
      to: upgraded('', 'namespace: gpus, '),
      there: '`namespace` of the GPU driver: gpus; before: gpu-operator',
      back: '`namespace` of the GPU driver: gpu-operator; before: gpus',
    },
    {
      from: upgraded(),
      to: upgraded('', 'validationPodSelector: "", '),
      there: '`validationPodSelector` of the GPU driver: none; before: app=nvidia-operator-validator',
      back: '`validationPodSelector` of the GPU driver: app=nvidia-operator-validator; before: none',
    },
  ])('$there', ({ from, to, there, back }) => {
    expect(policyNotes(policyOf(from), policyOf(to))).toEqual([there]);
    expect(policyNotes(policyOf(to), policyOf(from))).toEqual([back]);
  });

  it('needs no name in the notes about its settings where it is the only driver', () => {
    const [before, after] = [upgraded(), upgraded(', maxUnavailable: 3')].map((one) => policyOf(one, WITHOUT_OFED));
    expect(policyNotes(before, after)).toEqual(['nodes that may be unavailable at once: 3; before: 25%']);
  });

  it('gives OFED its name in the notes about the settings of OFED', () => {
    const settings = '{autoUpgrade: true, maxParallelUpgrades: 4, drain: {}}';
    const after = policyOf(upgraded(), OFED.replace('{autoUpgrade: true, drain: {}}', settings));
    const notes = ['OFED: up to 4 nodes are upgraded at once; before: 1'];
    expect(policyNotes(policyOf(upgraded()), after)).toEqual(notes);
    expect(policyNotes(policyOf(undefined), after)).toEqual([expect.any(String), ...notes].reverse());
  });
});
