import { describe, expect, it } from '@jest/globals';
import { begun, failed, waitsOf } from '../../../../test/kit/decide-fleets.js';
import { ago, daemonSet, driverPod, keys, node, NOW, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import type { UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import { decide } from '../../decide.js';
import { rolloutName } from '../../participants/driver/driver-view.js';

const ARCHITECTURES = ['amd64', 'arm64'];
const daemonSets = ARCHITECTURES.map((arch) => daemonSet({ name: `mofed-${arch}`, nodeSelector: { arch } }));
const rollout = rolloutName(daemonSets.map(({ name, digest }) => [name, digest]));
const done = { state: 'upgrade-done', annotations: { [keys.done]: `${rollout} ${ago(9999)}` } };
const canary = { labels: { canary: 'yes' } };
type Nodes = Readonly<Record<string, Parameters<typeof node>[1]>>;
type RolloutInput = NonNullable<UpgradePolicyInput['rollout']>;
type Canary = NonNullable<RolloutInput['canary']>;

/** Nodes `amd-…` and `arm-…`, of whose DaemonSets each has its own image. */
function decideFor(inputs: Nodes, limits: RolloutInput) {
  const nodes = Object.entries(inputs).map(([name, { labels, ...input } = {}]) => {
    const arch = name.startsWith('arm') ? 'arm64' : 'amd64';
    return node(name, { state: 'upgrade-required', labels: { arch, ...labels }, ...input });
  });
  const pods = nodes.map(({ name, labels }) => {
    const digest = labels[keys.state] === 'upgrade-done' ? 'new' : 'old';
    return driverPod(name, { digest, owner: `mofed-${labels['arch'] ?? ''}` });
  });
  const upgradePolicy = { autoUpgrade: true, maxParallelUpgrades: 0 };
  const listed = daemonSets.map(({ name }) => ({ name, digest: 'new' }));
  const policies = [{ name: 'NicClusterPolicy', upgradePolicy, daemonSets: listed }];
  const policy = policyOf({}, { policies, rollout: { failureBudget: 9, ...limits } });
  return decide(snapshot({ nodes, pods, daemonSets }), policy, NOW);
}

describe('decide: each driver DaemonSet has its own canaries', () => {
  const four = { 'amd-1': {}, 'amd-2': {}, 'arm-1': {}, 'arm-2': {} };
  const chosen = { nodeSelector: { canary: 'yes' } };
  const one = { nodes: 1 };
  const cases: readonly (readonly [string, Nodes, Canary, readonly string[]])[] = [
    ['one of each goes first', four, one, ['amd-1', 'arm-1']],
    ['one that is done is none of the other', { ...four, 'amd-1': done }, one, ['amd-2', 'arm-1']],
    ['both are done', { ...four, 'amd-1': done, 'arm-1': done }, one, ['amd-2', 'arm-2']],
    [
      'one failed: the next of its DaemonSet goes first',
      { ...four, 'amd-1': done, 'arm-1': failed },
      one,
      ['amd-2', 'arm-2'],
    ],
    ['the chosen of both', { ...four, 'amd-2': canary, 'arm-2': canary }, chosen, ['amd-2', 'arm-2']],
    ['none of arm64 is chosen: it follows', { ...four, 'amd-2': canary }, chosen, ['amd-2']],
    [
      'none of arm64 is chosen: then one of its own goes first',
      ...([{ ...four, 'amd-2': { ...done, ...canary } }, chosen, ['amd-1', 'arm-1']] as const),
    ],
  ];
  it.each(cases)('%s', (_, nodes, setting, expected) => {
    expect(begun(decideFor(nodes, { canary: setting }))).toEqual(expected);
  });

  it('says for which DaemonSet', () => {
    const decision = decideFor(four, { canary: one });
    expect(waitsOf(decision)).toMatchObject({ 'amd-2': 'canary', 'arm-2': 'canary' });
    const message = decision.waiting.find(({ node: name }) => name === 'arm-2')?.message;
    expect(message).toBe('0 of 1 canaries for DaemonSet mofed-arm64 are done');
  });

  it('a taint does not move a canary that is done', () => {
    const tainted = { ...done, taints: [{ key: 'maintenance', effect: 'NoSchedule' as const }] };
    const nodes = { ...four, 'amd-1': tainted, 'arm-1': done };
    expect(begun(decideFor(nodes, { canary: one }))).toEqual(['amd-2', 'arm-2']);
  });
});

describe('decide: a failure budget in per cent is one of each driver DaemonSet, too', () => {
  const arm = { 'arm-1': failed, 'arm-2': {} };
  const amd = { 'amd-1': {}, 'amd-2': {}, 'amd-3': {}, 'amd-4': {} };
  const others = Object.keys(amd);
  const pools = [{ name: 'arm', nodeSelector: { arch: 'arm64' }, failureBudget: '100%' }];

  it.each<{ name: string; nodes: Nodes; limits: RolloutInput; expected: readonly string[] }>([
    {
      name: 'stops the nodes of its DaemonSet',
      ...{ nodes: { ...arm, ...amd }, limits: { failureBudget: '34%' }, expected: others },
    },
    {
      name: 'stops nobody while its DaemonSet may have more',
      ...{ nodes: { ...arm, ...amd }, limits: { failureBudget: '51%' }, expected: [...others, 'arm-2'].sort() },
    },
    {
      name: 'stops all nodes where the budget of all is spent',
      ...{ nodes: { ...arm, 'amd-1': failed, 'amd-2': {} }, limits: { failureBudget: '50%' }, expected: [] },
    },
    {
      name: 'stops all nodes where the budget is a number',
      ...{ nodes: { ...arm, ...amd }, limits: { failureBudget: 1 }, expected: [] },
    },
    {
      name: 'is that of its upgrade pool',
      ...{ nodes: { ...arm, ...amd }, limits: { failureBudget: '34%', pools }, expected: [...others, 'arm-2'].sort() },
    },
  ])('a failed node $name', ({ nodes, limits, expected }) => {
    expect(begun(decideFor(nodes, limits)).sort()).toEqual(expected);
  });

  it('says for which DaemonSet', () => {
    const decision = decideFor({ ...arm, ...amd }, { failureBudget: '34%' });
    expect(decision.waiting.filter(({ kind }) => kind === 'halt').map(({ message }) => message)).toEqual([
      '1 failed (arm-1) of at most 1 of DaemonSet mofed-arm64',
    ]);
    const spent = decision.findings.filter(({ kind }) => kind === 'failure-budget-spent');
    expect(spent.map(({ message }) => message)).toEqual([
      'no node of DaemonSet mofed-arm64 begins: 1 failed (arm-1) of at most 1',
    ]);
  });
});
