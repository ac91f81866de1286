import { describe, expect, it } from '@jest/globals';
import { evictionOf, setUp } from '../../../../test/kit/actuator.js';
import { flushPromises } from '../../../../test/kit/flush-promises.js';
import { putPod } from '../../../../test/kit/idle-cluster.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { EvictPod } from '../../model/types.js';

describe('evictions of pods that have one controller', () => {
  /** Two pods of one controller and one of another. */
  function setUpPods() {
    const one = setUp(16);
    const pods = ['web', 'web', 'db'].map((owner, index) =>
      putPod(one.cluster, {
        ...{ namespace: 'apps', name: `p${index}`, nodeName: 'a' },
        controller: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner },
      }),
    );
    const evictions = pods.map(({ uid, controller }, index): EvictPod => {
      return { ...evictionOf(index), uid, controllerUid: controller?.uid };
    });
    return { ...one, evictions, uids: pods.map(({ uid }) => uid), seen: { pods: podIndexOf(pods), nodes: [] } };
  }

  it('follow each other, and others do not wait for them', async () => {
    const { actuator, answer, asked, evictions, seen, uids } = setUpPods();
    actuator.start(evictions, seen);
    await flushPromises();
    expect(asked).toEqual([uids[0], uids[2]]);
    answer(1, { kind: 'refused', message: 'no' });
    await flushPromises();
    expect(asked).toEqual([uids[0], uids[2], uids[1]]);
    answer(2, { kind: 'accepted' });
    await actuator.whenIdle();
  });

  it('are not sent when permission ends meanwhile', async () => {
    const { actuator, answer, asked, evictions, seen, permission, uids } = setUpPods();
    actuator.start(evictions, seen);
    await flushPromises();
    permission.state = 'revoked';
    answer(2, { kind: 'accepted' });
    await actuator.whenIdle();
    expect(asked).toEqual([uids[0], uids[2]]);
  });
});
