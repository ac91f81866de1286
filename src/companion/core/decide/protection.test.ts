import { expect, it } from '@jest/globals';
import { after, driverPod, node, NOW, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { AUTOSCALER_ANNOTATIONS } from '../../../shared/contract/labels.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { Snapshot } from '../../model/snapshot.js';
import { decide } from '../../decide.js';

/** Autoscalers do not remove a node that is out of service. */

const policy = policyOf({ drain: { enable: true, timeoutSeconds: 60 } });
const own = (state: Snapshot) =>
  Object.fromEntries(AUTOSCALER_ANNOTATIONS.map((key) => [key, state.nodes[0]?.annotations[key]]));
const both = (value: string | undefined) => Object.fromEntries(AUTOSCALER_ANNOTATIONS.map((key) => [key, value]));
const [FIRST = ''] = AUTOSCALER_ANNOTATIONS;

/** The node after its maintenance has begun, and after these seconds. */
function run(from: Snapshot, ...seconds: readonly number[]): Snapshot {
  let state = from;
  for (const second of seconds) state = after(state, decide(state, policy, NOW + second * 1000));
  return state;
}

const begins = (annotations: Record<string, string> = {}, pods: Parameters<typeof podIndexOf>[0] = []) =>
  run(snapshot({ nodes: [node('a', { annotations })], pods: [driverPod('a', { digest: 'old' }), ...pods] }), 0);

it('a node has the annotations from its cordon to the end of its maintenance', () => {
  const out = run(begins(), 5, 6);
  expect(own(out)).toEqual(both('true'));
  const back = run({ ...out, pods: podIndexOf([driverPod('a')]) }, 60, 61);
  expect(back.nodes[0]?.unschedulable).toBe(false);
  expect(own(back)).toEqual(both(undefined));
});

it.each(['true', 'false'])('an annotation that somebody has set before stays: %s', (value) => {
  const out = run(begins({ [FIRST]: value }), 5, 6);
  expect(own(out)).toEqual({ ...both('true'), [FIRST]: value });
  expect(own(run({ ...out, pods: podIndexOf([driverPod('a')]) }, 60, 61))).toEqual({
    ...both(undefined),
    [FIRST]: value,
  });
});

it('a node that failed has them while it is cordoned', () => {
  const given = begins({}, [pod('a', 'w', { emptyDir: true })]);
  expect(own(run(given, 5))).toEqual(both(undefined));
  const broken = driverPod('a', {
    ready: false,
    containers: [{ name: 'mofed-container', ready: false, restarts: 11 }],
  });
  const failed = run({ ...run(begins(), 5, 6), pods: podIndexOf([broken]) }, 60);
  expect(failed.nodes[0]?.unschedulable).toBe(true);
  expect(own(failed)).toEqual(both('true'));
  const freed = { ...failed, nodes: failed.nodes.map((one) => ({ ...one, unschedulable: false })) };
  expect(own(run(freed, 61))).toEqual(both(undefined));
});
