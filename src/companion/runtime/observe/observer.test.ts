import { describe, expect, it } from '@jest/globals';
import { createFakePorts } from '../../../../test/kit/fake-ports.js';
import { createCluster, NAMESPACE, putDaemonSet, putNode, putPod } from '../../../../test/kit/idle-cluster.js';
import { sleep } from '../timing/wake.js';
import { daemonSetFingerprint, startObserver } from './observer.js';
import { createRequestResults } from './request-results.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { SnapshotPod } from '../../model/types.js';

const QUIET = { changed: () => undefined, failed: () => undefined, crashed: () => undefined };

function setUp() {
  const cluster = createCluster();
  putDaemonSet(cluster, 'mofed', 'v1');
  const node = putNode(cluster, 'n1');
  const ports = createFakePorts(cluster, '');
  return { cluster, node, ports };
}

/** The DaemonSets of one namespace, beside nodes and pods. */
const NOTHING_ELSE = {
  ...{ namespaces: [NAMESPACE], hasGpuClaims: false },
  ...{ sriovNodeStates: undefined, nodeMaintenances: undefined },
};

describe('startObserver', () => {
  it('has the listed objects and the changes of the watches', async () => {
    const { cluster, ports } = setUp();
    const observer = startObserver(ports, [NAMESPACE], QUIET);
    expect(observer.ready()).toBe(false);
    await ports.runUntil(sleep(ports.clock, 10));
    expect(observer.ready()).toBe(true);
    putNode(cluster, 'n2');
    putPod(cluster, { namespace: 'default', name: 'web', nodeName: 'n1' });
    await ports.runUntil(sleep(ports.clock, 10));
    cluster.store.nodes.remove('n1', 'admin');
    await ports.runUntil(sleep(ports.clock, 10));
    const snapshot = observer.snapshot(true);
    expect(snapshot.nodes.map(({ name }) => name)).toEqual(['n2']);
    expect(snapshot.pods.size).toBe(1);
    expect(snapshot.paused).toBe(true);
    observer.stop();
  });

  it('has the pods that hold a GPU by a claim once they are asked for, and the same set until one changes', async () => {
    const { cluster, ports } = setUp();
    const { gpuClaims } = cluster.store;
    const claim = (name: string, ...podUids: readonly string[]) =>
      gpuClaims.put(`default/${name}`, { ...{ namespace: 'default', name, podUids }, resourceVersion: '' }, 'setup');
    const seen = () => observer.snapshot(false).podsWithGpuClaims;
    const held = (pods = seen()) => ['a', 'b'].filter((uid) => pods?.has(uid));
    claim('one', 'a', 'b');
    claim('two', 'b');
    const observer = startObserver(ports, [NAMESPACE], QUIET);
    await ports.runUntil(sleep(ports.clock, 10));
    expect(seen()).toBeUndefined();
    observer.watch({ ...NOTHING_ELSE, hasGpuClaims: true });
    observer.watch({ ...NOTHING_ELSE, hasGpuClaims: true });
    expect(observer.ready()).toBe(false);
    await ports.runUntil(sleep(ports.clock, 10));
    const first = seen();
    expect([observer.ready(), held(first)]).toEqual([true, ['a', 'b']]);
    claim('of-a-nic');
    await ports.runUntil(sleep(ports.clock, 10));
    expect(seen()).toBe(first);
    claim('one', 'a');
    gpuClaims.remove('default/two', 'admin');
    await ports.runUntil(sleep(ports.clock, 10));
    expect([held(first), held()]).toEqual([['a', 'b'], ['a']]);
    expect(ports.requests.filter((one) => one === 'list gpuClaims')).toHaveLength(1);
    observer.stop();
    await ports.runUntil(sleep(ports.clock, 10));
    expect(ports.watches).toEqual([]);
  });

  it.each(['nodeMaintenances', 'sriovNodeStates'] as const)('watches %s only in the last namespace', async (of) => {
    const { ports } = setUp();
    const listed: (string | undefined)[] = [];
    const list = ports.cluster.list.bind(ports.cluster);
    ports.cluster.list = (kind, namespace) => {
      if (kind === of) listed.push(namespace);
      return list(kind, namespace);
    };
    const observer = startObserver(ports, [NAMESPACE], QUIET);
    const isReady: boolean[] = [];
    for (const namespace of ['', 'one', 'one', 'two']) {
      if (namespace !== '') observer.watch({ ...NOTHING_ELSE, [of]: namespace });
      isReady.push(observer.ready());
      await ports.runUntil(sleep(ports.clock, 10));
    }
    expect(isReady).toEqual([false, false, true, false]);
    expect(listed).toEqual(['one', 'two']);
    expect(ports.watches.filter(({ kind }) => kind === of)).toHaveLength(1);
    observer.stop();
  });

  it('watches no longer what the policy does not need any more', async () => {
    const { ports } = setUp();
    const observer = startObserver(ports, [NAMESPACE], QUIET);
    const own = { sriovNodeStates: 'sriov', nodeMaintenances: 'one' };
    observer.watch({ namespaces: [NAMESPACE, 'gpu'], hasGpuClaims: true, ...own });
    await ports.runUntil(sleep(ports.clock, 10));
    const watched = () => ports.watches.map(({ kind }) => kind).sort();
    expect(watched()).toEqual([
      ...['daemonSets', 'daemonSets', 'gpuClaims', 'nodeMaintenances', 'nodes', 'pods', 'revisions', 'revisions'],
      'sriovNodeStates',
    ]);
    observer.watch(NOTHING_ELSE);
    await ports.runUntil(sleep(ports.clock, 10));
    expect(watched()).toEqual(['daemonSets', 'nodes', 'pods', 'revisions']);
    expect([observer.ready(), observer.snapshot(false).podsWithGpuClaims]).toEqual([true, undefined]);
    observer.stop();
  });

  it('watches on from the last version after a watch ends, and lists after 410', async () => {
    const { ports } = setUp();
    const observer = startObserver(ports, [NAMESPACE], QUIET);
    await ports.runUntil(sleep(ports.clock, 10));
    const end = (answer: { kind: 'ok'; value: undefined } | { kind: 'expired'; message: string }) =>
      ports.watches.find(({ kind }) => kind === 'nodes')?.send({ kind: 'end', answer });
    end({ kind: 'ok', value: undefined });
    await ports.runUntil(sleep(ports.clock, 5_000));
    const count = (name: string) => ports.requests.filter((one) => one === name).length;
    expect([count('list nodes'), count('watch nodes')]).toEqual([1, 2]);
    end({ kind: 'expired', message: 'too old' });
    await ports.runUntil(sleep(ports.clock, 5_000));
    expect([count('list nodes'), count('watch nodes')]).toEqual([2, 3]);
    observer.stop();
    await ports.runUntil(sleep(ports.clock, 10));
    expect(ports.watches).toEqual([]);
  });

  it('removes objects that were deleted without a watch event', async () => {
    const { cluster, ports } = setUp();
    putNode(cluster, 'n2');
    const observer = startObserver(ports, [NAMESPACE], QUIET);
    await ports.runUntil(sleep(ports.clock, 10));
    const hidden = ports.watches.splice(0);
    cluster.store.nodes.remove('n1', 'admin');
    await ports.runUntil(sleep(ports.clock, 10));
    expect(observer.snapshot(false).nodes.map(({ name }) => name)).toEqual(['n1', 'n2']);
    for (const { send } of hidden) send({ kind: 'end', answer: { kind: 'expired', message: 'too old' } });
    await ports.runUntil(sleep(ports.clock, 5_000));
    expect(observer.snapshot(false).nodes.map(({ name }) => name)).toEqual(['n2']);
    observer.stop();
  });

  it('waits as long as an overloaded server asks for', async () => {
    const { ports } = setUp();
    const lists: number[] = [];
    ports.cluster.list = (kind) => {
      if (kind === 'nodes') lists.push(ports.clock.monotonicMs());
      return Promise.resolve({ kind: 'retry', message: 'too many requests', retryAfterSeconds: 20 });
    };
    const observer = startObserver(ports, [NAMESPACE], QUIET);
    await ports.runUntil(sleep(ports.clock, 50_000));
    expect(lists.map((ms) => ms - (lists[0] ?? 0))).toEqual([0, 20_000, 40_000]);
    observer.stop();
  });

  it('does not hammer a server that closes each watch at once', async () => {
    const { ports } = setUp();
    ports.cluster.watch = (kind, _namespace, _version, onEvent) => {
      ports.requests.push(`watch ${kind}`);
      return ports.clock.after(0, () => onEvent({ kind: 'end', answer: { kind: 'ok', value: undefined } }));
    };
    const observer = startObserver(ports, [NAMESPACE], QUIET);
    await ports.runUntil(sleep(ports.clock, 60_000));
    expect(ports.requests.filter((one) => one === 'watch nodes').length).toBeLessThanOrEqual(61);
    observer.stop();
  });

  it('reports an answer that will not get better', async () => {
    const { ports } = setUp();
    const failures: string[] = [];
    ports.cluster.list = () => Promise.resolve({ kind: 'forbidden', message: 'may not list' });
    const observer = startObserver(ports, [NAMESPACE], {
      ...QUIET,
      failed: (answer, what) => failures.push(`${what}: ${answer.kind}`),
    });
    await ports.runUntil(sleep(ports.clock, 10));
    expect(failures).toContain('nodes: forbidden');
    observer.stop();
  });
});

describe('daemonSetFingerprint', () => {
  it('changes with the fields of a DaemonSet, not with its status', () => {
    const { cluster } = setUp();
    const before = [...cluster.store.daemonSets.values()];
    const mark = daemonSetFingerprint(before);
    expect(
      daemonSetFingerprint(before.map((one) => ({ ...one, resourceVersion: 'other', observedGeneration: 9 }))),
    ).toBe(mark);
    expect(daemonSetFingerprint(before.map((one) => ({ ...one, generation: 9 })))).not.toBe(mark);
    expect(daemonSetFingerprint([])).not.toBe(mark);
  });
});

describe('memory', () => {
  it('shows the response of a patch until the cache has a later version', () => {
    const { node, ports } = setUp();
    const results = createRequestResults(ports.clock, ports.random);
    const versionAfter = (writes: number) => String(Number(node.resourceVersion) + writes);
    const second = { ...node, resourceVersion: versionAfter(2), unschedulable: true };
    const third = { ...node, resourceVersion: versionAfter(90), labels: { x: 'y' } };
    results.noteNode(second);
    expect(results.withOwnWrites([node])).toEqual([second]);
    results.noteNode(third);
    expect(results.withOwnWrites([node])).toEqual([third]);
    expect(results.withOwnWrites([second])).toEqual([third]);
    // The write of another client between the two.
    expect(results.withOwnWrites([{ ...node, resourceVersion: versionAfter(1) }])).toEqual([third]);
    const later = { ...node, resourceVersion: versionAfter(1000) };
    expect(results.withOwnWrites([later])).toEqual([later]);
    // It is forgotten then.
    expect(results.withOwnWrites([node])).toEqual([node]);
  });

  it('forgets a node that was replaced', () => {
    const { node, ports } = setUp();
    const results = createRequestResults(ports.clock, ports.random);
    results.noteNode({ ...node, resourceVersion: '9999', unschedulable: true });
    const replaced = { ...node, uid: 'another' };
    expect(results.withOwnWrites([replaced])).toEqual([replaced]);
  });

  it('keeps eviction records by the monotonic clock, and forgets pods that are gone', () => {
    const { cluster, ports } = setUp();
    const results = createRequestResults(ports.clock, ports.random);
    const pod = putPod(cluster, { namespace: 'default', name: 'web', nodeName: 'n1' });
    results.noteEviction({ driver: 'ofed', node: 'n1', uid: pod.uid }, { kind: 'refused', message: 'no' });
    const record = (pods: readonly SnapshotPod[]) => results.evictions(podIndexOf(pods)).byNode.get('n1')?.get(pod.uid);
    const due = (): number =>
      (record([pod])?.nextAttemptMs ?? NaN) + results.evictions(podIndexOf([pod])).shiftMs - ports.clock.now();
    const before = due();
    ports.setWallClock(-3_600_000);
    expect(due()).toBe(before);
    expect(record([])).toBeUndefined();
    expect(record([pod])).toBeUndefined();
  });

  it('does not change records that it returned, and returns the same ones while nothing changes', () => {
    const { cluster, ports } = setUp();
    const results = createRequestResults(ports.clock, ports.random);
    const names = ['web', 'db'].map((name) => putPod(cluster, { namespace: 'default', name, nodeName: 'n1' }));
    const index = podIndexOf(names);
    const note = (place: number) =>
      results.noteEviction(
        { driver: 'ofed', node: 'n1', uid: names[place]?.uid ?? '' },
        { kind: 'refused', message: 'no' },
      );
    note(0);
    const first = results.evictions(index).byNode;
    expect(results.evictions(index).byNode).toBe(first);
    note(1);
    note(0);
    expect([...(first.get('n1') ?? [])].map(([, { attempts }]) => attempts)).toEqual([1]);
    const second = results.evictions(index).byNode;
    expect([...(second.get('n1') ?? [])].map(([, { attempts }]) => attempts).sort()).toEqual([1, 2]);
    expect(results.evictions(podIndexOf(names.slice(1))).byNode.get('n1')?.size).toBe(1);
    expect(second.get('n1')?.size).toBe(2);
  });
});
