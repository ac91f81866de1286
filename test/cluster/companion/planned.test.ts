import { driverKeys } from '../../../src/shared/contract/labels.js';
import { recordedFailure } from '../../../src/shared/contract/legacy-keys.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UpgradePlan } from '../../../src/forecast/plan/types.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll } from '../bed/apply-set.js';
import { until } from '../bed/guarded-process.js';
import { report } from '../bed/report.js';
import { isFull } from '../bed/test-bed.js';
import { weftIn } from '../bed/weft-command.js';
import { isRunning } from '../simulated/fleet.js';
import { WORKLOADS } from '../simulated/workloads.js';
import type { Span } from '../upgrade-bed/audit.js';
import { expectSound, reasonOf } from '../upgrade-bed/companion-checks.js';
import type { BedInput } from '../upgrade-bed/companion-input.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

/** A plan made by `weft plan` from the live cluster before an upgrade, and the upgrade. */
const NODES = isFull() ? 200 : 20;
const SLOTS = isFull() ? 24 : 8;
const RACKS = isFull() ? 4 : 2;
const TRAINING_SLOTS = isFull() ? 12 : 2;
const SECOND = 1_000;
/** Drivers load for so long that the speed of the machine decides on little of the whole. */
const LOAD_SECONDS = isFull() ? 90 : 40;
/** A plan of the large fleet takes seconds, and its companion starts after it. */
const WINDOW_MINUTES = isFull() ? 2 : 1;
/** As long as the window is open. */
const LONG_LOAD_SECONDS = WINDOW_MINUTES * 60;
/** More than a slow machine needs for the drain of a node that nothing blocks. */
const DRAIN_SECONDS = 60;
/** A patch that was decided on just before a window closes may arrive later, on a busy machine. */
const LATE_MS = 5_000;
const KEYS = driverKeys('ofed');
const GUARDED = 'node-3';
const SKIPPED = 'node-5';

const DRAIN = { enable: true, deleteEmptyDir: true, timeoutSeconds: DRAIN_SECONDS };
const upTo = (maxParallelUpgrades: number) => ({ autoUpgrade: true, maxParallelUpgrades, drain: DRAIN });
const indexOf = (node: string) => Number(node.replace('node-', ''));
const rackOf = (node: string) => `r${Math.floor((indexOf(node) * RACKS) / NODES)}`;
const poolOf = (node: string) => (indexOf(node) % 4 === 0 ? 'training' : 'inference');

let loadSeconds = 0;
let bed: UpgradeBed;
beforeAll(async () => {
  bed = await startUpgradeBed('planned', {
    nodes: NODES,
    podsPerNode: 2,
    upgradePolicy: upTo(SLOTS),
    labelsOf: (index) => ({ 'example.com/rack': rackOf(`node-${index}`), 'example.com/pool': poolOf(`node-${index}`) }),
    loadMs: () => loadSeconds * SECOND,
    // A budget keeps the node of a Ready pod from being taken out. It holds the drain of one that is not Ready.
    behaviour: ({ metadata }) => ({ kind: metadata.labels?.['app'] === 'guarded' ? 'never-ready' : 'ready' }),
  });
});
afterAll(() => bed.stop());

/** Renders the next version, plans it on the live cluster, and applies it. */
async function planned(change: Partial<BedInput>): Promise<UpgradePlan> {
  const objects = await bed.render(change);
  // The simulated kubelets take up to 200 ms for everything else.
  const durations = [`driver=${loadSeconds}s`, 'workload=1s', 'termination=0s..1s'].flatMap((one) => [
    '--duration',
    one,
  ]);
  // The durations hardly differ between runs.
  const options = ['--format', 'json', '--runs', '3', ...durations];
  const printed = await weftIn(bed.controlPlane, 'plan', bed.documents(), ...options);
  if (printed.exit !== 0) throw new Error(`weft plan: ${printed.stderr}`);
  bed.auditFromNow();
  await bed.apply(objects);
  return JSON.parse(printed.stdout) as UpgradePlan;
}

const begunIn = ({ nodePlans }: UpgradePlan) => nodePlans.filter(({ beginsAt }) => beginsAt !== null);
const ms = (time: string | null) => Date.parse(time ?? '');

describe('a plan', () => {
  it('names the nodes that begin before a window closes, and those that do not', async () => {
    loadSeconds = LONG_LOAD_SECONDS;
    // Enough of the window is left for two nodes to begin; a third would have to wait for the first one.
    while (new Date().getUTCSeconds() > 10) await sleep(SECOND);
    const openMs = Math.floor(Date.now() / 60_000) * 60_000;
    const opens = new Date(openMs);
    const schedule = `${opens.getUTCMinutes()} ${opens.getUTCHours()} * * *`;
    const plan = await planned({
      upgradePolicy: upTo(2),
      upgrade: { maintenanceWindows: [{ schedule, duration: `${WINDOW_MINUTES}m` }] },
    });
    const companion = await bed.start();
    expect({ code: await companion.ended, reason: reasonOf(companion) }).toEqual({ code: 0, reason: 'waiting' });

    const { spans } = expectSound(bed, 2);
    const closesMs = openMs + WINDOW_MINUTES * 60_000;
    const inTime = begunIn(plan).filter(({ beginsAt }) => ms(beginsAt) < closesMs);
    expect(inTime).toHaveLength(2);
    expect(spans.map(({ node }) => node)).toEqual(inTime.map(({ node }) => node));
    // Nodes that have begun are finished, others do not begin.
    expect(spans.filter(({ fromMs }) => fromMs >= closesMs + LATE_MS)).toEqual([]);
    const late = plan.obstacles.find(({ kind }) => kind === 'window')?.nodes ?? [];
    const behind = (await bed.behind()).map((line) => line.replace(/:.*/, ''));
    expect([...behind].sort()).toEqual([...late].sort());
  });

  it(`says of ${NODES} nodes in which order, how long, which fail and why`, async () => {
    loadSeconds = LOAD_SECONDS;
    await obstruct();
    const plan = await planned({
      upgrade: {
        canary: { nodes: 1 },
        failureBudget: 2,
        topologyKey: 'example.com/rack',
        pools: [
          {
            name: 'training',
            nodeSelector: { 'example.com/pool': 'training' },
            maxParallelUpgrades: TRAINING_SLOTS,
            maxUnavailable: '50%',
          },
        ],
      },
    });
    const companion = await bed.start();
    expect({ code: await companion.ended, reason: reasonOf(companion) }).toEqual({ code: 10, reason: 'failed' });

    const { spans } = bed.audit();
    const failed = plan.nodePlans.filter(({ outcome }) => outcome === 'failed').map(({ node }) => node);
    expect(failed).toEqual([GUARDED]);
    expect(await nodesIn('upgrade-failed')).toEqual(failed);
    const waiting = plan.nodePlans.filter(({ outcome }) => outcome === 'waiting').map(({ node }) => node);
    expect(waiting).toEqual([SKIPPED]);
    expect(await nodesIn('upgrade-required')).toEqual(waiting);
    const blocked = plan.obstacles.find(({ kind }) => kind === 'budget');
    expect(blocked).toMatchObject({ isStuck: true, nodes: [GUARDED], budget: `${WORKLOADS}/keeps-guarded` });
    const failure = await failureOf(GUARDED);
    expect(failure).toContain('PodDisruptionBudget keeps-guarded');
    expect(failure).toContain(blocked?.pod ?? 'no pod');

    expectSameOrder(plan, spans);
    expectSameTime(plan, spans);
    // 200 nodes, 24 at a time, take twenty minutes.
  }, 2_400_000);
});

/** A pod on one node that its budget keeps there, and a node that is left out. */
async function obstruct(): Promise<void> {
  const labels = { app: 'guarded' };
  const selector = { matchLabels: labels };
  const containers = [{ name: 'guarded', image: 'registry.example.com/guarded:1' }];
  const nodeSelector = { 'kubernetes.io/hostname': GUARDED };
  const metadata = { name: 'guarded', namespace: WORKLOADS };
  const objects: readonly LiveObject[] = [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas: 1, selector, template: { metadata: { labels }, spec: { nodeSelector, containers } } },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { ...metadata, name: 'keeps-guarded' },
      spec: { maxUnavailable: 0, selector },
    },
  ];
  const { client } = bed.controlPlane;
  expect((await applyAll(client, objects)).problems).toEqual([]);
  await until('the guarded pod runs', async () => {
    const pods = await client.list(`/api/v1/namespaces/${WORKLOADS}/pods?labelSelector=app%3Dguarded`);
    return pods.length === 1 && pods.every(isRunning) ? true : undefined;
  });
  await client.ask('PATCH', `/api/v1/nodes/${SKIPPED}`, { metadata: { labels: { [KEYS.skip]: 'true' } } }, 'merge');
}

async function nodesIn(state: string): Promise<readonly string[]> {
  const nodes = await bed.controlPlane.client.list('/api/v1/nodes');
  return nodes.flatMap(({ metadata }) => (metadata.labels?.[KEYS.state] === state ? [metadata.name] : []));
}

async function failureOf(name: string): Promise<string> {
  const node = await bed.controlPlane.client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
  return recordedFailure(node?.metadata.annotations ?? {}) ?? '';
}

/**
 * The canary is first, racks follow each other, and nine of ten nodes are at most a wave away from their planned places. Among the nodes of a rack those begin
 * first that share no PodDisruptionBudget with a node that is being drained, and evicted pods land on other nodes than in the plan.
 */
function expectSameOrder(plan: UpgradePlan, spans: readonly Span[]): void {
  const racks = (nodes: readonly string[]) => [...new Set(nodes.map(rackOf))];
  const begun = begunIn(plan);
  const expected = begun.map(({ node }) => node);
  const happened = spans.map(({ node }) => node);
  expect([...happened].sort()).toEqual([...expected].sort());
  expect(happened[0]).toBe(expected[0]);
  expect(racks(happened)).toEqual(racks(expected));
  const away = expected.map((node, place) => Math.abs(place - happened.indexOf(node)));
  const far = expected.filter((_, place) => (away[place] ?? 0) > SLOTS);
  report(
    `${NODES} nodes: ${far.length} more than a wave of ${SLOTS} away from their planned places, at most ${Math.max(...away)}`,
  );
  expect(far.length).toBeLessThanOrEqual(expected.length / 10);
}

/** How far the planned time may be from the real one. A small fleet takes so little time that a busy machine decides on more of it. */
const TOLERANCE = isFull() ? 0.1 : 0.25;

/** From the first begin to the last end; a node that fails ends with that. */
function expectSameTime(plan: UpgradePlan, spans: readonly Span[]): void {
  const begun = begunIn(plan);
  const last = (all: readonly number[]) => all.reduce((a, b) => Math.max(a, b), 0);
  const first = (all: readonly number[]) => all.reduce((a, b) => Math.min(a, b), Infinity);
  const plannedMs = last(begun.map(({ endsAt }) => ms(endsAt))) - first(begun.map(({ beginsAt }) => ms(beginsAt)));
  const tookMs = last(spans.map(({ toMs }) => toMs)) - first(spans.map(({ fromMs }) => fromMs));
  const ratio = plannedMs / tookMs;
  report(
    `${NODES} nodes: planned ${Math.round(plannedMs / SECOND)} s, took ${Math.round(tookMs / SECOND)} s, ratio ${ratio.toFixed(2)}`,
  );
  expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(TOLERANCE);
}
