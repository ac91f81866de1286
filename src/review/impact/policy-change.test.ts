import { describe, expect, it } from '@jest/globals';
import { upgradePolicySchema, type UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { policyNotes } from './policy-change.js';

interface Parts {
  readonly paused?: boolean;
  readonly uninstall?: boolean;
  /** `upgradePolicy` of the policy; `drain.enable` is true if it says nothing else. */
  readonly policy?: object;
  readonly section?: object;
  readonly rollout?: object;
  readonly nodeMaintenance?: object;
  readonly more?: readonly object[];
}

const DRAIN = { enable: true };
const section = (name: string, upgradePolicy: object, more: object = {}) => ({
  ...{ name, upgradePolicy: { autoUpgrade: true, drain: DRAIN, ...upgradePolicy } },
  ...{ daemonSets: [{ name: `mofed-${name}`, digest: 'a' }], ...more },
});

function policyOf({ paused = false, uninstall = false, policy = {}, section: own = {}, more = [], ...parts }: Parts) {
  const { rollout, nodeMaintenance } = parts;
  return upgradePolicySchema.parse({
    ...{ apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy', paused, ...(rollout && { rollout }) },
    ...(nodeMaintenance && { nodeMaintenance }),
    drivers: [
      {
        ...{
          kind: 'ofed',
          labelPrefix: 'ofed',
          namespace: 'ns',
          daemonSetSelector: 'a=b',
          podSelector: 'a=b',
        },
        ...{ containerName: 'mofed-container', uninstall },
        policies: [section('main', policy, uninstall ? { daemonSets: [] } : own), ...more],
      },
    ],
  });
}

const notes = (from: Parts, to: Parts) => policyNotes(policyOf(from), policyOf(to));
const drain = (settings: object): Parts => ({ policy: { drain: { ...DRAIN, ...settings } } });
const WINDOW = { schedule: '0 22 * * 5', duration: '6h', timeZone: 'Europe/Oslo' };
const WINDOW_TEXT = '`0 22 * * 5` for 6h (Europe/Oslo)';
const jobs = (timeoutSeconds: number): Parts => ({
  policy: { waitForCompletion: { podSelector: 'app=job', timeoutSeconds } },
});

/** Both directions of each setting. */
const CASES: readonly (readonly [name: string, from: Parts, to: Parts, there: string, back: string])[] = [
  [
    ...(['drain off', {}, drain({ enable: false })] as const),
    'pods lose their NIC: nodes are not drained any more before their driver is replaced',
    'nodes are drained before their driver is replaced',
  ],
  [
    ...(['the Maintenance Operator', {}, { nodeMaintenance: {} }] as const),
    'the Maintenance Operator cordons and drains nodes, by NodeMaintenances `default/nvidia-operator-…` of the requestor ' +
      '`weft.dev.driver-upgrade`; before: the companion, which finishes the nodes that it has begun',
    'the companion cordons and drains nodes; before: the Maintenance Operator. Nodes that it was asked for are left as they are, cordoned: ' +
      'let them be done before',
  ],
  [
    ...([
      'another namespace of NodeMaintenances',
      { nodeMaintenance: {} },
      { nodeMaintenance: { namespace: 'x' } },
    ] as const),
    'the Maintenance Operator is asked by NodeMaintenances `x/nvidia-operator-…` of the requestor `weft.dev.driver-upgrade`; ' +
      'the NodeMaintenances of nodes that are out, or failed, are not found any more: let these nodes be done before, or delete them by hand',
    'the Maintenance Operator is asked by NodeMaintenances `default/nvidia-operator-…` of the requestor `weft.dev.driver-upgrade`; ' +
      'the NodeMaintenances of nodes that are out, or failed, are not found any more: let these nodes be done before, or delete them by hand',
  ],
  [
    ...([
      'another prefix of NodeMaintenances',
      { nodeMaintenance: {} },
      { nodeMaintenance: { namePrefix: 'x' } },
    ] as const),
    'the Maintenance Operator is asked by NodeMaintenances `default/x-…` of the requestor `weft.dev.driver-upgrade`; ' +
      'nodes that are out keep the NodeMaintenances that they have until they are done',
    'the Maintenance Operator is asked by NodeMaintenances `default/nvidia-operator-…` of the requestor `weft.dev.driver-upgrade`; ' +
      'nodes that are out keep the NodeMaintenances that they have until they are done',
  ],
  [
    ...(['force', drain({}), drain({ force: true })] as const),
    '`drain.force` is set: pods without a controller are evicted, and nothing creates them again',
    '`drain.force` is not set any more: nodes with pods without a controller fail',
  ],
  [
    ...(['local data', drain({}), drain({ deleteEmptyDir: true })] as const),
    '`drain.deleteEmptyDir` is set: pods with local data are evicted, and lose it',
    '`drain.deleteEmptyDir` is not set any more: nodes with pods with local data fail',
  ],
  [
    ...(['a selector', drain({}), drain({ podSelector: 'a=b' })] as const),
    'pods lose their NIC: a drain evicts only pods with `a=b`',
    'a drain evicts all pods of the node',
  ],
  [
    ...(['time-out', drain({ timeoutSeconds: 300 }), drain({ timeoutSeconds: 0 })] as const),
    'a drain never fails: a node may stay cordoned and wait without end; before: 300 s',
    'a drain fails after 300 s; before: never',
  ],
  [
    ...(['all at once', { policy: { maxParallelUpgrades: 1 } }, { policy: { maxParallelUpgrades: 0 } }] as const),
    'no limit on nodes that are upgraded at once: `maxParallelUpgrades` was 1',
    'one node is upgraded at a time; before: no limit',
  ],
  [
    ...(['more at once', { policy: { maxParallelUpgrades: 2 } }, { policy: { maxParallelUpgrades: 5 } }] as const),
    'up to 5 nodes are upgraded at once; before: 2',
    'up to 2 nodes are upgraded at once; before: 5',
  ],
  [
    ...(['autoUpgrade', {}, { policy: { autoUpgrade: false } }] as const),
    '`autoUpgrade` is not set any more: no node is upgraded',
    '`autoUpgrade` is set: nodes are upgraded from now on',
  ],
  [
    ...(['jobs', jobs(60), {}] as const),
    'pods with `app=job` are evicted while they run: a drain waits for none to finish any more',
    'a drain waits for pods with `app=job` to finish, 60 s at most; before: for none',
  ],
  [
    ...(['time for jobs', jobs(0), jobs(60)] as const),
    'a drain waits for pods with `app=job` to finish, 60 s at most; before: `app=job` to finish, without end',
    'a drain waits for pods with `app=job` to finish, without end; before: `app=job` to finish, 60 s at most',
  ],
  [
    ...(['time to start', { section: { startupSeconds: 900 } }, {}] as const),
    'seconds that the start-up probe lets a driver load before its node fails: 0; before: 900',
    'seconds that the start-up probe lets a driver load before its node fails: 900; before: 0',
  ],
  [
    ...(['paused', {}, { paused: true }] as const),
    '`upgrade.paused` is set: the companion begins no node',
    '`upgrade.paused` is not set any more: the companion begins the nodes that wait',
  ],
  [
    ...(['uninstall', {}, { uninstall: true }] as const),
    'the driver is uninstalled, node by node',
    'the driver is not uninstalled any more: nodes that have none get it again',
  ],
  [
    ...(['windows', { rollout: { maintenanceWindows: [WINDOW] } }, {}] as const),
    `nodes begin at any time: there is no maintenance window any more; before: ${WINDOW_TEXT}`,
    `nodes begin only in the windows ${WINDOW_TEXT}; before: at any time`,
  ],
  [
    ...(['canaries', { rollout: { canary: { nodes: 2, soak: '30m' } } }, {}] as const),
    'no node goes first: a driver that does not work reaches as many nodes as the budgets allow; before: 2, which run for 30m before the others follow',
    'nodes that go first: 2, which run for 30m before the others follow; before: none',
  ],
  [
    ...([
      'canaries by label',
      { rollout: { canary: { nodes: 2 } } },
      { rollout: { canary: { nodeSelector: { a: 'b' } } } },
    ] as const),
    'nodes that go first: those with `a=b`, which run for 0s before the others follow; before: 2, which run for 0s before the others follow',
    'nodes that go first: 2, which run for 0s before the others follow; before: those with `a=b`, which run for 0s before the others follow',
  ],
  [
    ...(['failure budget', {}, { rollout: { failureBudget: '10%' } }] as const),
    'no node begins once 10% of the nodes, or of those of its driver DaemonSet, have failed; before: 1 node has',
    'no node begins once 1 node has failed; before: 10% of the nodes, or of those of its driver DaemonSet, have',
  ],
  [
    ...([
      'upgrade pools',
      {
        rollout: {
          pools: [{ name: 'train', nodeSelector: { a: 'b' }, maxUnavailable: '10%', maxParallelUpgrades: 8 }],
        },
      },
      {},
    ] as const),
    'no upgrade pool has limits of its own any more: all nodes in progress may be of one pool; before: `train` (`a=b`, 8 at once, 10% unavailable)',
    'upgrade pools have limits of their own: `train` (`a=b`, 8 at once, 10% unavailable); before: none',
  ],
  [
    ...(['domains', { rollout: { topologyKey: 'example.com/rack' } }, {}] as const),
    'nodes of several domains are upgraded at once: `upgrade.topologyKey` was `example.com/rack`',
    'nodes of one domain at a time are upgraded, by the label `example.com/rack`; before: of any',
  ],
  [
    ...(['validation', { rollout: { validation: { resources: ['rdma/a'] } } }, {}] as const),
    'a node takes pods again without a check: `upgrade.validation` was {"gatedPods":false,"podSelector":"","resources":["rdma/a"],"timeoutSeconds":600}',
    'a node takes pods again after the check {"gatedPods":false,"podSelector":"","resources":["rdma/a"],"timeoutSeconds":600}; before: none',
  ],
  [
    ...(['a driver that is not ready', {}, { rollout: { driverTimeout: '1h' } }] as const),
    'a node fails when its new driver is not ready after 1h; before: 30m',
    'a node fails when its new driver is not ready after 30m; before: 1h',
  ],
  [
    ...(['a failed drain', {}, { rollout: { onDrainFailure: 'keep' } }] as const),
    'a node that cannot be drained stays cordoned, and takes no pods',
    'a node that cannot be drained is uncordoned, and takes pods again',
  ],
  [
    ...(['a drain that lasts', {}, { rollout: { afterDrainTimeout: 'deletePods' } }] as const),
    'pods without a PodDisruptionBudget are deleted when the time of a drain is over; before: no pod is deleted when the time of a drain is over',
    'no pod is deleted when the time of a drain is over; before: pods without a PodDisruptionBudget are deleted when the time of a drain is over',
  ],
  [
    ...(['evicted pods', {}, { rollout: { waitForEvictedPods: false } }] as const),
    'nodes begin although pods that were evicted from others have no node',
    'a node begins when the pods that were evicted from others have nodes',
  ],
  [
    ...(['images', { rollout: { prePull: true } }, {}] as const),
    'a drained node waits for the image of its new driver: it is not pulled before any more',
    'a node begins when the image of its new driver is there',
  ],
  [
    ...(['time for images', {}, { rollout: { prePullTimeout: '1h' } }] as const),
    'a node begins after 1h without the image of its new driver; before: 15m',
    'a node begins after 15m without the image of its new driver; before: 1h',
  ],
  [
    ...(['another policy', {}, { more: [section('other', {})] }] as const),
    'policy `other` is new: it drains and upgrades its nodes',
    'policy `other` is gone',
  ],
  [
    ...(['another policy without a drain', {}, { more: [section('other', { drain: { enable: false } })] }] as const),
    'policy `other` is new: it upgrades its nodes without a drain, so pods lose their NIC',
    'policy `other` is gone',
  ],
];

describe('what the companion may do', () => {
  it.each(CASES)('%s', (_name, from, to, there, back) => {
    expect(notes(from, to)).toEqual([there]);
    expect(notes(to, from)).toEqual([back]);
    expect(notes(to, to)).toEqual([]);
  });

  it('says what a new drain does to pods', () => {
    expect(notes(drain({ enable: false }), drain({ force: true, deleteEmptyDir: true }))).toHaveLength(3);
  });

  it('names the policy where there are several, and what is worst first', () => {
    const other = (upgradePolicy: object): Parts => ({ more: [section('other', upgradePolicy)] });
    expect(
      notes(other({ maxParallelUpgrades: 1 }), other({ maxParallelUpgrades: 0, drain: { enable: false } })),
    ).toEqual([
      'policy `other`: pods lose their NIC: nodes are not drained any more before their driver is replaced',
      'policy `other`: no limit on nodes that are upgraded at once: `maxParallelUpgrades` was 1',
    ]);
  });

  it('tells a companion that comes or goes', () => {
    const policy: UpgradePolicy = policyOf({});
    expect(policyNotes(undefined, policy)).toEqual(['the companion is new: it upgrades nodes from now on']);
    expect(policyNotes(policy, undefined)).toEqual(['the companion goes: nothing upgrades nodes any more']);
  });

  it('does not count the list of drivers', () => {
    expect(notes({}, { section: { daemonSets: [{ name: 'mofed-x', digest: 'b' }] } })).toEqual([]);
  });
});

it('of a long value the value is cut, and not what happens', () => {
  const podSelector = `app in (${Array.from({ length: 5_000 }, (_, at) => `v${at}`).join(',')})`;
  const shown = `\`${podSelector.slice(0, 300)}…\``;
  const waiting = (timeoutSeconds: number): Parts => ({
    policy: { waitForCompletion: { podSelector, timeoutSeconds } },
  });
  expect(notes(waiting(60), {})).toEqual([
    `pods with ${shown} are evicted while they run: a drain waits for none to finish any more`,
  ]);
  expect(notes(waiting(60), waiting(0))).toEqual([
    `a drain waits for pods with ${shown} to finish, without end; before: ${shown} to finish, 60 s at most`,
  ]);
  expect(notes({}, drain({ podSelector }))).toEqual([`pods lose their NIC: a drain evicts only pods with ${shown}`]);
});
