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
type Canary = NonNullable<NonNullable<UpgradePolicyInput['rollout']>['canary']>;

/** Nodes `amd-…` and `arm-…`, of whose DaemonSets each has its own image. */
function decideFor(inputs: Nodes, setting: Canary) {
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
  const policy = policyOf({}, { policies, rollout: { failureBudget: 9, canary: setting } });
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
    expect(begun(decideFor(nodes, setting))).toEqual(expected);
  });

  it('says for which DaemonSet', () => {
    const decision = decideFor(four, one);
    expect(waitsOf(decision)).toMatchObject({ 'amd-2': 'canary', 'arm-2': 'canary' });
    const message = decision.waiting.find(({ node: name }) => name === 'arm-2')?.message;
    expect(message).toBe('0 of 1 canaries for DaemonSet mofed-arm64 are done');
  });

  it('a taint does not move a canary that is done', () => {
    const tainted = { ...done, taints: [{ key: 'maintenance', effect: 'NoSchedule' as const }] };
    expect(begun(decideFor({ ...four, 'amd-1': tainted, 'arm-1': done }, one))).toEqual(['amd-2', 'arm-2']);
  });
});
