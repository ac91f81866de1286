import { expect, it } from '@jest/globals';
import { costLine, costLines } from '../../src/forecast/plan/render/cost.js';
import { savedSnapshot } from '../../src/forecast/plan/snapshot/save.js';
import { planBriefText } from '../../src/forecast/plan/render/brief.js';
import { changed, planOf, withHeldPods, withMetadata, type Item } from './changed.js';
import { AT, fleetOf, type Fleet } from './fleet.js';

const controllerOf = (kind: string) => [
  { apiVersion: 'batch/v1', kind, name: `${kind}-1`, uid: `uid-${kind}`, controller: true },
];

/** Pods of it started ten hours before the plan begins, if they say when. */
const started = (pod: Item, hasTime: boolean): Item => {
  const startTime = new Date(AT.getTime() - 36_000_000).toISOString();
  return { ...pod, status: { ...(pod['status'] as object), ...(hasTime && { startTime }) } };
};

const offering = (fleet: Fleet, node: RegExp, resources: object): Fleet =>
  changed(fleet, 'Node', node, (one) => {
    const status = one['status'] as { readonly allocatable: object };
    return { ...one, status: { ...status, allocatable: { ...status.allocatable, ...resources } } };
  });

/** Two nodes of three pods each, one after the other: a pod of a Job, one of a PyTorchJob, one without a controller. */
function fleetWithJobs(): Fleet {
  const drain = { enable: true, force: true, timeoutSeconds: 300, deleteEmptyDir: true };
  let fleet = fleetOf({ nodes: 2, podsPerNode: 3, upgradePolicy: { maxParallelUpgrades: 1, drain } });
  for (const [name, ownerReferences, hasTime] of [
    [/-pod-0$/, controllerOf('Job'), true],
    [/-pod-1$/, controllerOf('PyTorchJob'), false],
    [/-pod-2$/, [], true],
  ] as const)
    fleet = changed(fleet, 'Pod', name, (pod) => started(withMetadata(pod, { ownerReferences }), hasTime));
  return fleet;
}

it('a plan says what it costs: the time of cordoned nodes and of their GPUs, and pods that end before they are done', () => {
  const mig = { 'nvidia.com/gpu': '0', 'nvidia.com/mig-3g.40gb': '14', 'nvidia.com/mig-1g.10gb.me': '14' };
  const gpus = offering(fleetWithJobs(), /-0000$/, { 'nvidia.com/gpu': '8' });
  const plan = planOf(offering(gpus, /-0001$/, mig));
  const { nodeHours, gpuHours, endedPods } = plan.cost;
  // Each is out of service for about five minutes, and both offer eight GPUs.
  expect(nodeHours).toBeGreaterThan(0.13);
  expect(nodeHours).toBeLessThan(0.2);
  expect(gpuHours).toBeCloseTo(8 * nodeHours, 0);
  expect(endedPods).toMatchObject([
    { pod: 'apps/app-0-pod-0', job: 'apps/Job-1', node: 'node-0000' },
    { pod: 'apps/app-0-pod-2', job: null, node: 'node-0000' },
    // What replaces the first one ends, too.
    { job: 'apps/Job-1', node: 'node-0001' },
    { pod: 'apps/app-0-pod-1', job: 'apps/PyTorchJob-1', node: 'node-0001', ranSeconds: null },
  ]);
  for (const { ranSeconds } of endedPods.slice(0, 2)) expect(Math.floor((ranSeconds ?? 0) / 3600)).toBe(10);
  const says = 'node-hours, ' + String(gpuHours) + ' GPU-hours; 4 pods end before they are done, of 2 Jobs, after 20h';
  const line = planBriefText(plan, 'east').split('\n')[1];
  expect(line).toContain(says);
  expect(line).toContain('how long one has run is not known');
  expect(costLines(plan)).toContainEqual(
    '- apps/app-0-pod-1 of a Job, on node-0001: the snapshot has no `startTime` of it',
  );
});

it.each([
  { name: 'Volcano', on: 'annotations', key: 'scheduling.k8s.io/group-name' },
  { name: 'Volcano', on: 'annotations', key: 'scheduling.volcano.sh/group-name' },
  { name: 'coscheduling', on: 'labels', key: 'scheduling.x-k8s.io/pod-group' },
  { name: 'Kueue', on: 'labels', key: 'kueue.x-k8s.io/pod-group-name' },
  { name: 'JobSet', on: 'labels', key: 'jobset.sigs.k8s.io/jobset-name' },
  { name: 'Kubeflow', on: 'labels', key: 'training.kubeflow.org/job-name' },
])('a plan counts the pods that end with their group: $name, by $key', ({ on, key }) => {
  const node = { nic: 'no', 'kubernetes.io/hostname': 'x' };
  // Of twelve pods on four nodes, two of which have no driver, six are of the group.
  const fleet = changed(fleetOf({ nodes: 4, podsPerNode: 3 }), 'Node', /-000[23]$/, (one) =>
    withMetadata(one, { labels: node }),
  );
  const grouped = changed(fleet, 'Pod', /-pod-\d+$/, (pod) => {
    const { labels, name } = pod['metadata'] as { readonly labels: object; readonly name: string };
    const of = Number(name.replace(/.*-/, '')) < 6 ? { [key]: 'train' } : {};
    const metadata = { labels, annotations: {}, ownerReferences: controllerOf('Job') };
    return withMetadata(pod, { ...metadata, [on]: { ...(on === 'labels' && labels), ...of } });
  });
  const saved = savedSnapshot(grouped.snapshot, new Set(['nno']));
  for (const snapshot of [grouped.snapshot, saved as Fleet['snapshot']]) {
    const { cost } = planOf({ ...grouped, snapshot });
    const own = cost.endedPods.filter(({ pod }) => /-pod-[0-5]$/.test(pod));
    expect([own.length, cost.groupPods]).toEqual([4, 2]);
  }
  const text = costLine(planOf(grouped))[0];
  expect(text).toMatch(/, and 2 other pods of their groups with them$/);
});

it('a plan says that GPUs are not known, not that there are none', () => {
  const plan = planOf(fleetOf({ nodes: 1 }));
  expect(plan.cost).toMatchObject({ gpuHours: null, endedPods: [] });
  expect(costLine(plan)).toEqual([
    `costs ${plan.cost.nodeHours} node-hours, GPU-hours are not known; no pod ends before it is done`,
  ]);
});

it('a plan costs a finite number of GPU-hours whatever a node says that it offers', () => {
  const costs = (gpus: string) =>
    planOf(offering(fleetOf({ nodes: 1 }), /-0000$/, { 'nvidia.com/gpu': gpus })).cost.gpuHours;
  const one = costs('1') ?? 0;
  expect(['2k', '-5', '0x10', '1e308', 'Infinity', '9'.repeat(400)].map(costs)).toEqual([
    expect.closeTo(2_000 * one, -2),
    ...[0, 0, 0, 0, 0],
  ]);
  expect(costs('999999999E')).toBeLessThan(2 ** 63);
});

it('nodes without GPUs beside nodes that offer some cost none', () => {
  const fleet = offering(fleetOf({ nodes: 2 }), /-0001$/, { 'nvidia.com/gpu': '8' });
  const plan = planOf(changed(fleet, 'Node', /-0001$/, (node) => withMetadata(node, { labels: {} })));
  expect([plan.nodes, plan.cost.gpuHours]).toEqual([1, 0]);
});

it('a node that stays cordoned costs until the end of the plan, and one that is given back does not', () => {
  const kept = (onDrainFailure: 'keep' | 'uncordon') => {
    const rollout = { failureBudget: 3, onDrainFailure };
    const fleet = fleetOf({ nodes: 3, podsPerNode: 1, upgradePolicy: { maxParallelUpgrades: 1 }, rollout });
    return planOf(withHeldPods(fleet, /-pod-0$/)).cost.nodeHours;
  };
  expect(kept('keep')).toBeGreaterThan(kept('uncordon') + 0.1);
});
