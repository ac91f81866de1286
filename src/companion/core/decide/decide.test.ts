import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesOf, decided, updated } from '../../../../test/kit/decisions.js';
import { recorded } from '../../../../test/kit/records.js';
import { after, driverPod, node, NOW, patchesOf, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';
import { MAINTENANCE } from '../maintenance/table.js';

/** Decisions about one node. `WEFT_UPDATE=1` writes the present results into the texts; reviewers read the difference. */
const FOLDER = join('test', 'decisions');

describe.each(readdirSync(FOLDER))('%s', (file) => {
  const path = join(FOLDER, file);
  const text = readFileSync(path, 'utf8');
  if (process.env['WEFT_UPDATE'] === '1') it('is written', () => writeFileSync(path, updated(text)));
  else
    it.each(casesOf(text))('$name', ({ given, expected }) => {
      expect(decided(given)).toBe(expected);
    });
});

describe('a patch', () => {
  const drains = policyOf({ drain: {} });
  const old = driverPod('a', { digest: 'old' });

  it('carries the version and the UID that it was decided on', () => {
    const decision = decide(snapshot({ nodes: [node('a', { resourceVersion: '42' })], pods: [old] }), drains, NOW);
    expect(patchesOf(decision)).toMatchObject([{ resourceVersion: '42', uid: 'uid-a' }]);
  });

  it('is the same when the snapshot is seen again after its patch', () => {
    const before = snapshot({ nodes: [node('a')], pods: [old] });
    const once = after(before, decide(before, drains, NOW));
    expect(decide(once, drains, NOW).actions).toEqual([]);
  });
});

describe('a node whose cordon the snapshot does not have', () => {
  const table = MAINTENANCE.filter(({ id }) => id !== 'lost');
  const minuteAgo = NOW / 1000 - 60;

  it.each([
    { state: 'drain-required', begun: { since: { 'drain-required': minuteAgo } }, action: 'evictPod' },
    { state: 'pod-restart-required', begun: { restarts: { ofed: minuteAgo } }, action: 'deletePod' },
  ])('keeps its pods in $state, also if no row cordons it again', ({ state, begun, action }) => {
    const pods = [driverPod('a', { digest: 'old' }), ...(action === 'evictPod' ? [pod('a', 'work')] : [])];
    const actionsOf = (unschedulable: boolean) => {
      const nodes = [node('a', { state, unschedulable, annotations: recorded({ cordon: '', ...begun }) })];
      return decide(snapshot({ nodes, pods }), policyOf({ drain: {} }), NOW, { table }).actions;
    };
    expect(actionsOf(true)).toMatchObject([{ kind: action }]);
    expect(actionsOf(false)).toEqual([]);
  });
});
