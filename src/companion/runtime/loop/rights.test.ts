import { describe, expect, it } from '@jest/globals';
import { KEYS, putDriverPod, putNode } from '../../../../test/kit/idle-cluster.js';
import { count, run, setUpCluster, stateOf } from '../../../../test/kit/runs.js';
import type { Access, ClusterPort } from '../ports.js';

const forbidden = { kind: 'forbidden', message: 'may not' } as const;

/** Answers no to one right. */
function without(resource: string, verb: string): ClusterPort['isAllowed'] {
  return (access: Access) =>
    Promise.resolve({ kind: 'ok', value: access.resource !== resource || access.verb !== verb });
}

describe('before the first action', () => {
  it.each([
    {
      resource: 'pods/eviction',
      verb: 'create',
      message: 'the companion may not create pods/eviction in all namespaces',
    },
    { resource: 'pods', verb: 'delete', message: 'the companion may not delete pods in namespace driver-ns' },
    {
      resource: 'leases',
      verb: 'update',
      message: 'the companion may not update leases.coordination.k8s.io "weft-companion" in namespace net',
    },
  ])('a run that may not $verb $resource ends, and has changed nothing', async ({ resource, verb, message }) => {
    const { ports } = setUpCluster(2);
    ports.cluster.isAllowed = without(resource, verb);
    expect(await run(ports, { namespace: 'net' })).toMatchObject({ exitCode: 2, reason: 'forbidden', message });
    expect(ports.requests.filter((one) => !/^(list|get)/.test(one))).toEqual([]);
  });

  it('a run that may not report begins no node, and finishes those that have begun', async () => {
    const { ports, cluster } = setUpCluster(2);
    putNode(cluster, 'n3', { labels: { [KEYS.state]: 'uncordon-required' }, unschedulable: true });
    putDriverPod(cluster, 'n3', 'mofed', 'v2', true);
    ports.cluster.isAllowed = without('events', 'patch');
    expect(await run(ports)).toMatchObject({
      exitCode: 2,
      message: 'the companion may not patch events in namespace default',
    });
    expect(['n1', 'n3'].map((name) => stateOf(cluster, name))).toEqual(['upgrade-required', 'upgrade-done']);
    expect([...cluster.store.nodes.values()].some(({ unschedulable }) => unschedulable)).toBe(false);
  });

  it('a server that cannot say it changes nothing', async () => {
    const { ports } = setUpCluster(1);
    ports.cluster.isAllowed = () => Promise.resolve({ kind: 'error', message: 'no' });
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
  });

  it('a run without work asks for no right', async () => {
    const { ports } = setUpCluster(1);
    await run(ports);
    const asked = count(ports, 'review access');
    await run(ports, { mode: 'cronjob', runId: 'cron-1' });
    expect([asked > 0, count(ports, 'review access')]).toEqual([true, asked]);
  });
});

it('a right that reports lose meanwhile keeps nodes from beginning, and those that have begun are finished', async () => {
  const { ports, cluster } = setUpCluster(2);
  let events = 0;
  const write = ports.cluster.writeEvent.bind(ports.cluster);
  ports.cluster.writeEvent = (event) => (++events > 1 ? Promise.resolve(forbidden) : write(event));
  expect(await run(ports)).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'may not' });
  expect(['n1', 'n2'].map((name) => stateOf(cluster, name))).toEqual(['upgrade-done', 'upgrade-required']);
  expect([...cluster.store.nodes.values()].some(({ unschedulable }) => unschedulable)).toBe(false);
});
