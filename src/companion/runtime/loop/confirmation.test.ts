import { describe, expect, it } from '@jest/globals';
import { setUpCluster, count, run, stateOf } from '../../../../test/kit/runs.js';
import { MAINTENANCE_ANNOTATION } from '../../../shared/contract/maintenance-record.js';
import type { FakePorts } from '../../../../test/kit/fake-ports.js';
import {
  changePod,
  KEYS,
  leaseOf,
  NAMESPACE,
  putDriverPod,
  putNode,
  putPod,
  putStatus,
} from '../../../../test/kit/idle-cluster.js';
import type { WatchEvent } from '../../../shared/kube-client/types.js';

/** Intercepts watch events: `each` passes an event on, at once, later or never. */
function throughWatches(ports: FakePorts, each: (event: WatchEvent<unknown>, pass: () => void) => void): void {
  const watch = ports.cluster.watch.bind(ports.cluster);
  ports.cluster.watch = (kind, namespace, version, onEvent) =>
    watch(kind, namespace, version, (event) => each(event, () => onEvent(event)));
}

const isAbout = (event: WatchEvent<unknown>, name: string): boolean =>
  'item' in event && (event.item as { readonly name?: string }).name === name;

/** Counts the lists of a preflight (pods of one namespace) and those of the caches (pods of all). */
function countLists(ports: FakePorts): { preflights: number; caches: number } {
  const counts = { preflights: 0, caches: 0 };
  const list = ports.cluster.list.bind(ports.cluster);
  ports.cluster.list = (kind, namespace) => {
    if (kind === 'pods') counts[namespace === undefined ? 'caches' : 'preflights'] += 1;
    return list(kind, namespace);
  };
  return counts;
}

/** A second node joins while the first one gets its driver. */
function joinLate({ simulated: cluster }: FakePorts): void {
  if (cluster.store.nodes.get('n9') !== undefined || stateOf(cluster, 'n1') !== 'pod-restart-required') return;
  putNode(cluster, 'n9');
  putDriverPod(cluster, 'n9', 'mofed', 'v1', true);
}

describe('the confirmation by lists', () => {
  it('does not relist caches that are only late', async () => {
    const { cluster, ports } = setUpCluster(1);
    throughWatches(ports, (event, pass) => {
      if (isAbout(event, 'n9') || isAbout(event, 'mofed-n9')) ports.clock.after(6_000, pass);
      else pass();
    });
    const lists = countLists(ports);
    const end = await run(ports, {}, () => joinLate(ports));
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(stateOf(cluster, 'n9')).toBe('upgrade-done');
    expect(lists.preflights).toBeGreaterThan(2);
    expect(lists.caches).toBe(1);
  });

  it('knows which DaemonSets are gone, so that a pod of one keeps no run from its end, and no node is taken out for it', async () => {
    const { cluster, ports } = setUpCluster(1);
    cluster.foreignDaemonSets.set('evil/mofed', false);
    const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'mofed', uid: 'uid-mofed' };
    putPod(cluster, { namespace: 'evil', name: 'p', nodeName: 'n1', controller });
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'waiting' });
    expect(stateOf(cluster, 'n1')).toBe('upgrade-required');
  });

  it('is repeated with growing pauses while the lists show work', async () => {
    const { cluster, ports } = setUpCluster(1);
    let isHidden = true;
    throughWatches(ports, (event, pass) => {
      if (!isHidden || !isAbout(event, 'mofed-n9')) pass();
    });
    const lists = countLists(ports);
    const list = ports.cluster.list.bind(ports.cluster);
    ports.cluster.list = async (kind, namespace) => {
      const answer = await list(kind, namespace);
      if (!isHidden || kind !== 'pods' || namespace !== undefined || answer.kind !== 'ok') return answer;
      const items = answer.value.items.filter((item) => !('name' in item) || item.name !== 'mofed-n9');
      return { kind: 'ok', value: { ...answer.value, items } };
    };
    let hidden = { preflights: 0, caches: 0 };
    const end = await run(ports, {}, (elapsedMs) => {
      joinLate(ports);
      if (!isHidden || elapsedMs < 600_000) return;
      isHidden = false;
      hidden = { ...lists };
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(stateOf(cluster, 'n9')).toBe('upgrade-done');
    // After 2, 4, 8, 16, 32 and 60 seconds, then every minute; jitter makes each pause a little shorter.
    expect(hidden.preflights).toBeGreaterThanOrEqual(12);
    expect(hidden.preflights).toBeLessThanOrEqual(22);
    expect(hidden.caches).toBeGreaterThanOrEqual(hidden.preflights - 4);
  });

  it('is repeated soon, without new caches, where a list fails', async () => {
    const { ports } = setUpCluster(1);
    const lists = countLists(ports);
    const list = ports.cluster.list.bind(ports.cluster);
    let failedMs = -1;
    let fails = 0;
    ports.cluster.list = (kind, namespace) => {
      if (kind !== 'pods' || namespace === undefined || count(ports, 'watch pods') === 0 || fails > 2)
        return list(kind, namespace);
      failedMs = ports.clock.monotonicMs();
      fails += 1;
      return Promise.resolve({ kind: 'retry', message: 'away' });
    };
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(ports.clock.monotonicMs() - failedMs).toBeLessThanOrEqual(8_250);
    expect(lists.caches).toBe(1);
  });

  it('overrules outdated caches', async () => {
    const { cluster, ports } = setUpCluster(2);
    putNode(cluster, 'n2', { annotations: { [KEYS.requestorMode]: 'true' } });
    throughWatches(ports, (event, pass) => {
      if (!isAbout(event, 'n2') || stateOf(cluster, 'n2') !== undefined) pass();
    });
    const end = await run(ports, {}, () => {
      const n2 = cluster.store.nodes.get('n2');
      const isLate = stateOf(cluster, 'n1') === 'pod-restart-required';
      if (n2 !== undefined && isLate && n2.annotations[KEYS.requestorMode] !== undefined)
        cluster.store.nodes.put('n2', { ...n2, annotations: {} }, 'admin');
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(stateOf(cluster, 'n2')).toBe('upgrade-done');
  });

  it('lists the pods of all namespaces where a failed node may be repaired, and believes them', async () => {
    const { cluster, ports } = setUpCluster(1, [
      'rollout.validation={"podSelector":"app=check","podNamespace":"checks","timeoutSeconds":60}',
    ]);
    const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'check', uid: 'check' };
    const labels = { app: 'check' };
    putPod(cluster, { namespace: 'checks', name: 'check', nodeName: 'n1', labels, controller, ready: false });
    throughWatches(ports, (event, pass) => {
      if (!isAbout(event, 'check')) pass();
    });
    const end = await run(ports, {}, () => {
      if (stateOf(cluster, 'n1') === 'upgrade-failed' && cluster.store.pods.get('checks/check')?.ready === false)
        changePod(cluster, 'checks/check', { ready: true });
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(stateOf(cluster, 'n1')).toBe('upgrade-done');
  });

  it('waits for a patch whose answer is late, so that the Lease can be released', async () => {
    const { cluster, ports } = setUpCluster(1);
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    ports.cluster.patchNode = async (action) => {
      const answer = await patchNode(action);
      if (stateOf(cluster, 'n1') !== 'upgrade-done') return answer;
      await new Promise<void>((resolve) => void ports.clock.after(9_000, resolve));
      return { kind: 'retry', message: 'timed out' };
    };
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe('');
  });
});

describe('a preflight', () => {
  const listsOf = async (settings: readonly string[], state: string) => {
    const { cluster, ports } = setUpCluster(1, settings);
    putNode(cluster, 'n1', { labels: { [KEYS.state]: state }, unschedulable: true });
    for (const [key, pod] of [...cluster.store.pods.entries()])
      cluster.store.pods.put(key, { ...pod, ready: false }, 'setup');
    const namespaces: (string | undefined)[] = [];
    const list = ports.cluster.list.bind(ports.cluster);
    ports.cluster.list = (kind, namespace) => {
      if (kind === 'pods') namespaces.push(namespace);
      ports.stop();
      return list(kind, namespace);
    };
    await run(ports);
    return namespaces;
  };
  const check = 'rollout.validation={"podSelector":"app=check","podNamespace":"checks","timeoutSeconds":60}';
  const resources = 'rollout.validation={"resources":["rdma/a"],"timeoutSeconds":60}';

  it.each([
    { name: 'a failed node and a validation by pods', settings: [check], state: 'upgrade-failed', expected: undefined },
    { name: 'no failed node', settings: [check], state: 'drain-required', expected: NAMESPACE },
    { name: 'no validation by pods', settings: [resources], state: 'upgrade-failed', expected: NAMESPACE },
  ])('lists no more pods than it needs: $name', async ({ settings, state, expected }) => {
    expect(await listsOf(settings, state)).toEqual([expected]);
  });

  it('that cannot list is repeated before the Lease is asked for', async () => {
    const { ports } = setUpCluster(1);
    const list = ports.cluster.list.bind(ports.cluster);
    let fails = 0;
    ports.cluster.list = (kind, namespace) => {
      if (kind !== 'nodes' || fails > 2) return list(kind, namespace);
      fails += 1;
      expect(ports.requests).not.toContain('get lease');
      return Promise.resolve({ kind: 'retry', message: 'away' });
    };
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(fails).toBe(3);
    expect(ports.logs.filter(({ message }) => message === 'away')).toHaveLength(3);
  });

  it('that cannot read the status does not know whether the companion is paused, and asks again', async () => {
    const { cluster, ports } = setUpCluster(1);
    putNode(cluster, 'n1', {
      labels: { [KEYS.state]: 'upgrade-required' },
      annotations: { [MAINTENANCE_ANNOTATION]: '{"due":["ofed"]}' },
    });
    putStatus(ports.simulated, { annotations: { 'weft.dev/paused': 'true' } });
    const readStatus = ports.cluster.readStatus.bind(ports.cluster);
    let fails = 0;
    ports.cluster.readStatus = () => (fails++ < 3 ? Promise.resolve({ kind: 'retry', message: 'away' }) : readStatus());
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'waiting', message: '1 node paused' });
    expect(ports.requests).not.toContain('get lease');
    expect(ports.summaries).toEqual([expect.stringContaining('0 of 1 nodes done')]);
  });
});
