import { describe, expect, it } from '@jest/globals';
import { isObject } from '../../src/shared/lib/json.js';
import { shareOf } from '../kit/shares.js';
import { runWeft, withCluster } from '../kit/run-weft.js';
import type { Json } from '../fuzz/mutate.js';
import { clusterReaders } from '../fuzz/readers.js';
import { CLUSTER, cwd, policy, put, setUpFolder } from './kit.js';

/** API servers that are broken, or that somebody else runs. */

describe('lists that do not end', () => {
  setUpFolder();
  const files = {
    ...CLUSTER,
    'clusters/east/policy.yaml': policy('  ofedDriver: {upgradePolicy: {autoUpgrade: true}}\n'),
  };

  const COMMANDS = [
    ['pools', '--live'],
    ['status', 'clusters/east'],
    ['diff', '--live', '--folder', 'clusters/east'],
    ['plan', 'east'],
    ['import', 'clusters/new', '--dry-run'],
    ['takeover', 'clusters/east', '--dry-run'],
    ['upgrade', 'status'],
  ];
  it.each(shareOf(COMMANDS, 3))('end weft %s', async (...args) => {
    put(files);
    const { exit, stderr } = await runWeft([...args, '--context', 'endless'], { cwd, env: withCluster() });
    expect(stderr).toMatch(/^error\[WEFT0066\]: GET \S+: the list goes on after \d+ bytes$/m);
    expect(exit).toBe(2);
  });
});

const names = { name: 'a', namespace: 'b' };
/** What is no object of any kind, and an object of any kind none of whose fields has its type. */
const WRONG: readonly Json[] = [
  ...[null, 7, 'x', [], {}, { metadata: null }, { metadata: 'x' }, { metadata: [] }, { metadata: { name: null } }],
  {
    metadata: { ...names, uid: 3, labels: [], annotations: 7, ownerReferences: [null, 7, {}], managedFields: 'x' },
    ...{ spec: [null], status: 'x', data: [{}], webhooks: [7, { rules: [null] }] },
  },
  { metadata: { ...names, labels: null, finalizers: {}, generation: '1' }, spec: null, status: null, data: null },
];

/** The cluster with these items in each list, alone or before the others, and with this object for each other one. */
function withItems(cluster: Json, items: readonly Json[], isAlone: boolean): Json {
  if (!isObject(cluster)) return cluster;
  return Object.fromEntries(
    Object.entries(cluster).map(([path, served]) => {
      if (!isObject(served) || !Array.isArray(served['items'])) return [path, served];
      return [path, { ...served, items: [...items, ...(isAlone ? [] : served['items'])] }];
    }),
  );
}

describe('items of lists that are no objects', () => {
  it.each(clusterReaders())('do not end weft $name', async ({ seed, read }) => {
    const cluster = await seed();
    for (const items of [WRONG, ...WRONG.map((one) => [one])]) {
      const { exit, stderr } = await read(withItems(cluster, items, items === WRONG), 0);
      expect({ items, exit, stderr }).toEqual({ items, exit: 0, stderr: '' });
    }
  });
});

describe('objects that are none', () => {
  it.each(clusterReaders())('do not end weft $name with a stack trace', async ({ seed, read }) => {
    const cluster = await seed();
    for (const path of Object.keys(isObject(cluster) ? cluster : {})) {
      for (const wrong of WRONG.slice(-3)) {
        const { exit, stderr } = await read({ ...(cluster as object), [path]: wrong }, 0);
        expect({ path, wrong, isBug: exit === 3, stderr }).toEqual({ path, wrong, isBug: false, stderr: '' });
      }
    }
  });
});
