import { describe, expect, it } from '@jest/globals';
import { MAINTENANCE } from '../../../src/companion/core/maintenance/table.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { SECOND_PREFIX } from '../../kit/idle-cluster.js';
import { isEveryCase } from '../../kit/shares.js';
import { explore } from './stuck-states.js';

/** Maximum number of events between decisions. */
const DEPTH = Number(process.env['WEFT_STUCK_DEPTH'] ?? 1);

const nodes = ['daemon set mofed of v2', 'nodes n1 n2', 'driver pods of mofed with v1'];
const blocked = ['pod db/pg-0 on=n1 of=StatefulSet labels=app=pg unready', 'budget db/pg allows 0 for app=pg'];

const SECOND_STATE = driverKeys(SECOND_PREFIX).state;

interface SmallCluster {
  readonly name: string;
  readonly setup: readonly string[];
  /** Absent: events happen to two nodes. With a second driver there are more events, so they happen to one of two equal nodes. */
  readonly events?: 'one node';
  /** `npm test` leaves it out, because it has many states, or nearly those of another cluster. */
  readonly isForAllCases?: true;
}

const clusters: readonly SmallCluster[] = [
  { name: 'no drain', isForAllCases: true, setup: ['policy drain.enable=false', ...nodes] },
  { name: 'a drain', setup: ['policy drain.enable=true drain.timeoutSeconds=60', ...nodes] },
  {
    name: 'a drain that fails',
    isForAllCases: true,
    setup: ['policy drain.enable=true drain.timeoutSeconds=60', ...nodes, ...blocked],
  },
  {
    name: 'a drain that fails, its cordon kept',
    setup: ['policy drain.enable=true drain.timeoutSeconds=60 rollout.onDrainFailure=keep', ...nodes, ...blocked],
  },
  {
    name: 'a canary',
    setup: ['policy drain.enable=true rollout.canary={"nodes":1,"soak":"1m"} maxParallelUpgrades=0', ...nodes],
  },
  {
    name: 'a validation that cannot pass',
    isForAllCases: true,
    setup: ['policy rollout.validation={"resources":["rdma/a"],"timeoutSeconds":60}', ...nodes],
  },
  {
    name: 'safe loading',
    setup: ['policy drain.enable=true', ...nodes, 'node n1 annotation safeLoad=true'],
  },
  {
    name: 'a drain that fails, for a safe load',
    isForAllCases: true,
    setup: [
      'policy drain.enable=true drain.timeoutSeconds=60',
      'daemon set mofed of v1',
      'nodes n1 n2',
      'driver pods of mofed with v1',
      'node n1 annotation safeLoad=true',
      ...blocked,
    ],
  },
  {
    name: 'three nodes, two of them at a time',
    isForAllCases: true,
    setup: [
      'policy drain.enable=true drain.timeoutSeconds=60 maxParallelUpgrades=2 rollout.failureBudget=2',
      'daemon set mofed of v2',
      'nodes n1 n2 n3',
      'driver pods of mofed with v1',
      ...blocked,
    ],
  },
  {
    name: 'a pool with a budget of its own',
    isForAllCases: true,
    setup: [
      'policy drain.enable=true maxParallelUpgrades=0 rollout.pools=[{"name":"a","nodeSelector":{"pool":"a"},"maxUnavailable":1}]',
      ...nodes,
      'node n1 label pool=a',
      'node n2 label pool=a',
    ],
  },
  { name: 'topology', setup: ['policy rollout.topologyKey=rack', ...nodes, 'node n1 label rack=1'] },
  {
    name: 'a second driver',
    isForAllCases: true,
    setup: [
      'policy drain.enable=true drain.timeoutSeconds=60',
      ...nodes,
      'daemon set gpu of v2',
      'driver pods of gpu with v1',
    ],
    events: 'one node',
  },
  {
    name: 'a second driver, jobs are waited for',
    isForAllCases: true,
    setup: [
      'policy drain.enable=true maxParallelUpgrades=0 waitForCompletion={"podSelector":"job=x","timeoutSeconds":60}',
      ...nodes,
      'daemon set gpu of v2',
      'driver pods of gpu with v1',
      'pod ml/job on=n1 of=Job labels=job=x',
    ],
    events: 'one node',
  },
];

/** Patterns of options in the lines of a cluster. */
const OPTIONS: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'drain', pattern: /drain\.enable=true/ },
  { name: 'drain time-out', pattern: /drain\.timeoutSeconds=/ },
  { name: 'onDrainFailure: keep', pattern: /onDrainFailure=keep/ },
  { name: 'a budget without disruptions', pattern: /^budget/ },
  { name: 'parallel upgrades', pattern: /maxParallelUpgrades=/ },
  { name: 'failureBudget', pattern: /failureBudget=/ },
  { name: 'canary', pattern: /rollout\.canary=/ },
  { name: 'validation', pattern: /rollout\.validation=/ },
  { name: 'safe load', pattern: /safeLoad=/ },
  { name: 'pools', pattern: /rollout\.pools=/ },
  { name: 'topologyKey', pattern: /rollout\.topologyKey=/ },
  { name: 'waitForCompletion', pattern: /waitForCompletion=/ },
  { name: 'a second driver', pattern: /daemon set gpu/ },
  { name: 'three nodes', pattern: /^nodes n1 n2 n3$/ },
];

/** The options of a cluster that are on, and those that are off. */
function optionsOf(setup: readonly string[]): string {
  const named = (isOn: boolean) =>
    OPTIONS.filter(({ pattern }) => setup.some((line) => pattern.test(line)) === isOn).map(({ name }) => name);
  return `on: ${named(true).join(', ') || 'none'}; off: ${named(false).join(', ')}`;
}

/** Events of a node: by a user, the kubelet, the driver or the operator's flow. */
const perNode = (name: string) => [
  `node ${name} is cordoned`,
  `node ${name} is uncordoned`,
  `node ${name} stops reporting`,
  `node ${name} annotation safeLoad=true`,
  ...['required', 'done', 'failed'].map((state) => `node ${name} label state=upgrade-${state}`),
  ...['cordon', 'drain', 'pod-restart', 'uncordon'].map((state) => `node ${name} label state=${state}-required`),
  `node ${name} annotation initialState=true`,
  `node ${name} label state-`,
  `node ${name} label skip=true`,
  `node ${name} annotation requested=true`,
];
/** Events of the whole cluster: by GitOps or users. */
const everywhere = [
  'daemon set mofed of v3',
  'daemon set mofed of v1',
  'gone: pod db/pg-0',
  'budget db/pg allows 1 for app=pg',
];
/** All nodes are equal at the start, so events of the first two of three suffice. */
const events = [...perNode('n1'), ...perNode('n2'), ...everywhere];
const eventsOfSecond = [
  ...perNode('n1'),
  ...['required', 'done', 'failed'].map((state) => `node n1 label ${SECOND_STATE}=upgrade-${state}`),
  ...['drain', 'pod-restart'].map((state) => `node n1 label ${SECOND_STATE}=${state}-required`),
  `node n1 label ${SECOND_STATE}-`,
  'daemon set gpu of v3',
  ...everywhere,
];

describe(`small clusters as graphs, ${DEPTH} events between decisions`, () => {
  const expectNoStuckState = ({ name, setup, events: of }: SmallCluster) => {
    const { states, stuck } = explore(setup, of === 'one node' ? eventsOfSecond : events, DEPTH);
    process.stdout.write(`${name}: ${states} states, depth ${DEPTH}, ${stuck.length} stuck\n  ${optionsOf(setup)}\n`);
    expect(stuck.slice(0, 5)).toEqual([]);
  };
  const [some, others] = [false, true].map((isOther) =>
    clusters.filter(({ isForAllCases = false }) => isForAllCases === isOther),
  );
  it.each(some ?? [])('every state leads to an end: $name', expectNoStuckState);
  (isEveryCase ? it : it.skip).each(others ?? [])('every state leads to an end: $name', expectNoStuckState);

  it.each([
    { id: 'failed', why: 'a driver that never gets ready', setup: ['policy drain.enable=false', ...nodes] },
    {
      ...{ id: 'failed', why: 'pods that stay' },
      setup: ['policy drain.enable=true drain.timeoutSeconds=60', ...nodes, ...blocked],
    },
    { id: 'left', why: 'a label that was removed', setup: ['policy drain.enable=false', ...nodes] },
  ])('a table without $id has stuck states: $why', ({ id, setup }) => {
    const table = MAINTENANCE.filter((row) => row.id !== id);
    expect(explore(setup, events, 1, table, 1).stuck.length).toBeGreaterThan(0);
  });
});
