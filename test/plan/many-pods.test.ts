import { expect, it } from '@jest/globals';
import { desiredOf, type Desired } from '../../src/forecast/plan/desired.js';
import { makePlan } from '../../src/forecast/plan/plan.js';
import { AT, fleetOf } from './fleet.js';

/** Times are those of a hang: with 20,000 such pods a plan did not end. */
const HANG_MS = 60_000;
const COUNT = 3_000;
const NODES = 20;
const { objects, snapshot } = fleetOf({ nodes: NODES });

const required = (...terms: object[]) => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
});

/** A pod of a tenant: it has no node unless `spec` names one. */
function podOf(index: number, spec: { readonly nodeName?: string }): object {
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'own', uid: 'uid-own', controller: true },
  ];
  const metadata = { namespace: 'tenant', name: `own-${index}`, uid: `uid-own-${index}`, labels: { app: 'own' } };
  const containers = [{ name: 'main', image: 'x', resources: { requests: { cpu: '1' } } }];
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ownerReferences } },
    spec: { containers, ...spec },
    status: { phase: spec.nodeName === undefined ? 'Pending' : 'Running' },
  };
}

it.each<[string, (index: number) => object, string | undefined]>([
  ['asks for too much', () => ({ containers: [{ resources: { requests: { cpu: '99' } } }] }), undefined],
  [
    'tolerates something else',
    (index) => ({
      containers: [{ resources: { requests: { cpu: '64' } } }],
      tolerations: [{ key: `k${index}`, operator: 'Exists' }],
    }),
    undefined,
  ],
  [
    'is spread over domains that no node has',
    () => {
      const labelSelector = { matchLabels: { app: 'own' } };
      const constraint = { whenUnsatisfiable: 'DoNotSchedule', labelSelector };
      return { topologySpreadConstraints: ['a', 'b', 'c', 'd'].map((topologyKey) => ({ ...constraint, topologyKey })) };
    },
    'comparisons',
  ],
  [
    'keeps off the pods of all namespaces',
    (index) => {
      const labelSelector = { matchExpressions: [{ key: `k${index}`, operator: 'Exists' }] };
      return {
        affinity: required({ topologyKey: 'none', namespaceSelector: {}, labelSelector }),
        nodeName: `node-000${index % 10}`,
      };
    },
    'anti-affinity',
  ],
])(`a plan ends where each of ${COUNT} pods of a tenant %s`, (_name, specOf, left) => {
  const pods = Array.from({ length: COUNT }, (_, index) => podOf(index, specOf(index)));
  const start = performance.now();
  const { upgraded, notes } = makePlan(
    desiredOf(objects) as Desired,
    { items: [...snapshot.items, ...pods] },
    { at: AT, runs: 1 },
  );
  expect(performance.now() - start).toBeLessThan(HANG_MS);
  expect(upgraded).toBe(NODES);
  const said = notes.filter((note) => note.startsWith(`${COUNT} pods: `));
  expect(said).toEqual(left === undefined ? [] : [expect.stringContaining(TEXTS[left] ?? left)]);
});

const TEXTS: Readonly<Record<string, string>> = {
  comparisons: 'compared more than 2000000 times with nodes and other pods: they count as fitting nowhere',
  'anti-affinity': 'a namespace that has more than 1000 pods with one: such a pod counts as having none',
};

it(`a plan ends where a tenant has ${COUNT} budgets`, () => {
  const onNodes = Array.from({ length: COUNT }, (_, index) => podOf(index, { nodeName: `node-000${index % 10}` }));
  const budgets = Array.from({ length: COUNT }, (_, index) => ({
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { namespace: 'tenant', name: `b${index}` } },
    spec: { maxUnavailable: '50%', selector: { matchLabels: { app: 'own' } } },
  }));
  const items = [...snapshot.items, ...onNodes, ...budgets];
  const start = performance.now();
  const { notes, obstacles } = makePlan(desiredOf(objects) as Desired, { items }, { at: AT, runs: 1 });
  expect(performance.now() - start).toBeLessThan(HANG_MS);
  expect(notes).toContain(
    `${COUNT - 200} PodDisruptionBudgets: those of a namespace beyond its first 200: they count as absent`,
  );
  expect(obstacles.some(({ kind }) => kind === 'budget')).toBe(true);
});
