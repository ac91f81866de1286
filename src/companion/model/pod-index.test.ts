import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/kit/fast-check.js';
import { pod } from '../../../test/kit/snapshots.js';
import { podIndexOf, podMatcher, type PodIndex } from './pod-index.js';
import type { SnapshotPod } from './types.js';

const uids = (pods: Iterable<SnapshotPod>) => [...pods].map(({ uid }) => uid).sort();

const controllerOf = (uid: string) => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: uid, uid });

/** A pod with one of a few names on one of a few nodes. */
const anyPod = fc
  .record({
    name: fc.constantFrom('p', 'q', 'r', 's', 't'),
    namespace: fc.constantFrom('apps', 'nno'),
    nodeName: fc.constantFrom('', 'a', 'b', 'c'),
    labels: fc.constantFrom({}, { app: 'x' }, { app: 'y', gated: 'yes' }),
    mirror: fc.boolean(),
    controller: fc.constantFrom({}, { controller: controllerOf('one') }, { controller: controllerOf('two') }),
  })
  .map(({ name, nodeName, controller, ...rest }) =>
    pod(nodeName, name, { ...rest, ...controller, uid: `${rest.namespace}/${name}` }),
  );

/** The pods after each step; a pod that occurs twice changes, others may be deleted. */
const anyHistory = fc.array(
  fc.record({ put: fc.array(anyPod, { maxLength: 4 }), gone: fc.array(anyPod, { maxLength: 2 }) }),
  { maxLength: 6 },
);

/** Applies a history to an index, and calls back after each step with the updated index and the pods. */
function applyHistory(
  history: readonly { readonly put: readonly SnapshotPod[]; readonly gone: readonly SnapshotPod[] }[],
  each: (index: PodIndex, there: readonly SnapshotPod[]) => void,
): void {
  const there = new Map<string, SnapshotPod>();
  let index = podIndexOf([]);
  for (const { put, gone } of history) {
    const before = new Map(there);
    for (const { uid } of gone) there.delete(uid);
    for (const one of put) there.set(one.uid, one);
    const changed = [...new Set([...before.keys(), ...there.keys()])].filter(
      (uid) => before.get(uid) !== there.get(uid),
    );
    index = index.after(changed.map((uid) => ({ before: before.get(uid), after: there.get(uid) })));
    each(index, [...there.values()]);
  }
}

describe('an index of pods', () => {
  it('has the same pods as a new index, whatever changed', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        applyHistory(history, (index, there) => {
          expect(index.size).toBe(there.length);
          expect(uids(index)).toEqual(uids(there));
          for (const uid of ['one', 'two', 'three'])
            expect(uids(index.ofController(uid))).toEqual(
              uids(there.filter(({ controller }) => controller?.uid === uid)),
            );
          for (const nodeName of ['', 'a', 'b', 'c', 'unknown']) {
            const here = there.filter((one) => one.nodeName === nodeName);
            expect(uids(index.onNode(nodeName))).toEqual(uids(here));
            expect(index.byNode.has(nodeName)).toBe(here.length > 0);
            // Asked at each step, so that it would return what it found before the change.
            const mirrors = index.onNodeThat('mirror', ({ mirror }) => mirror)(nodeName);
            expect(uids(mirrors)).toEqual(uids(here.filter(({ mirror }) => mirror)));
          }
        });
      }),
    );
  });

  it('finds the pods that match', () => {
    const questions = [
      { selectors: ['app=x'], namespace: 'apps' },
      { selectors: ['gated=yes', 'app=x'], namespace: 'nno' },
      { selectors: ['app'], namespace: undefined },
      { selectors: [], namespace: 'apps' },
    ];
    const has = ({ labels }: SnapshotPod, selector: string) =>
      selector === 'app' ? 'app' in labels : labels[selector.split('=')[0] ?? ''] === selector.split('=')[1];
    fc.assert(
      fc.property(anyHistory, (history) => {
        applyHistory(history, (index, there) => {
          for (const { selectors, namespace } of questions) {
            const found = [...index].filter(podMatcher(selectors, namespace));
            const expected = there.filter(
              (one) =>
                (namespace === undefined || one.namespace === namespace) &&
                selectors.some((selector) => has(one, selector)),
            );
            expect(uids(found)).toEqual(uids(expected));
          }
        });
      }),
    );
  });

  it('never changes, and shares the nodes that did not', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const past: { readonly index: PodIndex; readonly uids: readonly string[] }[] = [];
        applyHistory(history, (index, there) => {
          const before = past.at(-1)?.index;
          for (const [nodeName, here] of index.byNode) {
            const then = before?.onNode(nodeName);
            const isSame = then !== undefined && here.every((one) => then.includes(one));
            if (isSame && then.length === here.length) expect(here).toBe(then);
          }
          past.push({ index, uids: uids(there) });
        });
        for (const one of past) expect(uids(one.index)).toEqual(one.uids);
      }),
    );
  });
});
