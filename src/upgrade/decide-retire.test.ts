import { describe, expect, it } from '@jest/globals';
import { daemonSet, driverPod, keys, node, NOW, patchesOf, policyOf, snapshot } from '../../test/kit/snapshots.js';
import { decide } from './decide.js';

describe('decide: a retired DaemonSet with a pod on a node of the maintenance operator', () => {
  const gone = daemonSet({ name: 'gone', digest: 'x', renderedDigest: 'x' });
  const decideOn = (annotations: Readonly<Record<string, string>>) => {
    const nodes = [node('a', { state: 'upgrade-done', annotations: { [keys.requestorMode]: 'true', ...annotations } })];
    return decide(
      snapshot({ nodes, pods: [driverPod('a', { owner: 'gone' })], daemonSets: [daemonSet(), gone] }),
      policyOf(),
      NOW,
    );
  };

  it('asks for the upgrade of the node first, and then lets the DaemonSet go', () => {
    expect(patchesOf(decideOn({})).map(({ annotations }) => annotations)).toEqual([{ [keys.requested]: 'true' }]);
    expect(decideOn({}).actions.map(({ kind }) => kind)).not.toContain('deleteDaemonSet');
    expect(decideOn({ [keys.requested]: 'true' }).actions.map(({ kind }) => kind)).toEqual(['deleteDaemonSet']);
  });
});
