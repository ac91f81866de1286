import { describe, expect, it } from '@jest/globals';
import { TRANSITIONS } from '../../src/upgrade/flow/transitions.js';
import { explore } from './traps.js';

/** So many events may come between decisions; more take longer. */
const DEPTH = Number(process.env['WEFT_TRAPS_DEPTH'] ?? 1);

const nodes = ['daemon set mofed of v2', 'nodes n1 n2', 'driver pods of mofed with v1'];
const blocked = ['pod db/pg-0 on=n1 of=StatefulSet labels=app=pg', 'budget db/pg allows 0 for app=pg'];

const clusters: readonly { readonly name: string; readonly setup: readonly string[] }[] = [
  { name: 'no drain', setup: ['policy drain.enable=false', ...nodes] },
  { name: 'a drain', setup: ['policy drain.enable=true drain.timeoutSeconds=60', ...nodes] },
  {
    name: 'a drain that fails',
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
    setup: ['policy rollout.validation={"resources":["rdma/a"],"timeoutSeconds":60}', ...nodes],
  },
  {
    name: 'safe loading',
    setup: ['policy drain.enable=true', ...nodes, 'node n1 annotation safeLoad=true'],
  },
  {
    name: 'three nodes, two of them at a time',
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
    setup: [
      'policy drain.enable=true maxParallelUpgrades=0 rollout.pools=[{"name":"a","nodeSelector":{"pool":"a"},"maxUnavailable":1}]',
      ...nodes,
      'node n1 label pool=a',
      'node n2 label pool=a',
    ],
  },
  { name: 'topology', setup: ['policy rollout.topologyKey=rack', ...nodes, 'node n1 label rack=1'] },
];

/** What a person, the kubelet, the driver and the operator's flow do to a node. */
const perNode = (name: string) => [
  `node ${name} is cordoned`,
  `node ${name} is uncordoned`,
  `node ${name} falls silent`,
  `node ${name} annotation safeLoad=true`,
  ...['required', 'done', 'failed'].map((state) => `node ${name} label state=upgrade-${state}`),
  ...['cordon', 'drain', 'pod-restart', 'uncordon'].map((state) => `node ${name} label state=${state}-required`),
  `node ${name} annotation initialState=true`,
  `node ${name} label state-`,
  `node ${name} label skip=true`,
  `node ${name} annotation requested=true`,
];
/** What GitOps and people do to the whole cluster. */
const everywhere = [
  'daemon set mofed of v3',
  'daemon set mofed of v1',
  'gone: pod db/pg-0',
  'budget db/pg allows 1 for app=pg',
];
/** All nodes begin alike, so what happens to the first two of three says it all. */
const events = [...perNode('n1'), ...perNode('n2'), ...everywhere];

describe(`small clusters as graphs, ${DEPTH} events between decisions`, () => {
  it.each(clusters)('every state leads to an end: $name', ({ name, setup }) => {
    const { states, traps } = explore(setup, events, DEPTH);
    process.stdout.write(`${name}: ${states} states, depth ${DEPTH}, ${traps.length} traps\n`);
    expect(traps.slice(0, 5)).toEqual([]);
  });

  it.each([
    { id: 'driver-timed-out', setup: ['policy drain.enable=false', ...nodes] },
    { id: 'drain-timed-out', setup: ['policy drain.enable=true drain.timeoutSeconds=60', ...nodes, ...blocked] },
  ])('a table without $id has traps', ({ id, setup }) => {
    const table = TRANSITIONS.filter((row) => row.id !== id);
    expect(explore(setup, events, 1, table, 1).traps.length).toBeGreaterThan(0);
  });
});
