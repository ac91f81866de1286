import { describe, expect, it } from '@jest/globals';
import type { UpgradePolicy } from '../../contract/upgrade-policy.js';
import {
  ago,
  daemonSet,
  driverPod,
  evictionsOf,
  keys,
  node,
  NOW,
  pod,
  policyOf,
  snapshot,
} from '../../../test/kit/snapshots.js';
import { OFED_GATE_LABEL } from '../../contract/labels.js';
import { decide } from '../decide.js';
import { createRecall } from './recall.js';
import { TRANSITIONS } from '../flow/transitions.js';
import type { Snapshot } from '../model/snapshot.js';
import type { EvictionRecord } from '../model/types.js';

const gate = { kind: 'ready-file' as const, label: OFED_GATE_LABEL, podSelectors: ['gated=yes'] };
const drain = { enable: true, timeoutSeconds: 300 };
const policy = policyOf({ maxParallelUpgrades: 2, drain }, { gate });

const refused = (uid: string, inMs: number, attempts = 1): [string, EvictionRecord] => [
  uid,
  {
    podUid: uid,
    attempts,
    outcome: 'refused',
    message: 'no',
    nextAttemptMs: NOW + inMs,
    firstAttemptMs: NOW - 9000,
  },
];

const draining = { state: 'drain-required', unschedulable: true };
const drainSince = (seconds: number) => ({ [keys.drainStart]: ago(seconds), [keys.cordoned]: 'true' });
const agent = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'u' };
const pods = [
  driverPod('rest'),
  pod('rest', 'web'),
  driverPod('young', { digest: 'none', createdMs: NOW - 1000 }),
  driverPod('outdated', { digest: 'old' }),
  driverPod('waits', { digest: 'old' }),
  driverPod('drains', { digest: 'old' }),
  pod('drains', 'api'),
  pod('drains', 'agent', { controller: agent }),
  driverPod('late', { digest: 'old' }),
  pod('late', 'db', { labels: { app: 'db' } }),
  pod('silent', 'ending', { deletionMs: NOW + 1000 }),
  driverPod('silent', { digest: 'old' }),
];
const records = new Map([refused('uid-api', 4000), refused('uid-db', 9000)]);
const nodes = [
  node('rest', { state: 'upgrade-done' }),
  node('young', { state: 'upgrade-done' }),
  node('outdated', { state: 'upgrade-done' }),
  node('waits', { state: 'upgrade-required' }),
  node('drains', { ...draining, annotations: drainSince(10) }),
  node('late', { ...draining, annotations: drainSince(299) }),
  node('silent', { ...draining, ready: 'Unknown', annotations: drainSince(10) }),
];
const driver: Snapshot = snapshot({
  nodes,
  pods,
  evictions: records,
  foreignDaemonSets: new Map([['apps/agent', 'present']]),
});

interface Later {
  readonly name: string;
  readonly driver?: Partial<Snapshot>;
  readonly policy?: UpgradePolicy;
  readonly afterMs?: number;
  readonly mostEvictions?: number;
}

const laters: readonly Later[] = [
  { name: 'nothing' },
  { name: 'nothing but the time, a little', afterMs: 500 },
  { name: 'the end of a drain', afterMs: 1500 },
  { name: 'an eviction is due', afterMs: 4500 },
  { name: 'an eviction is due, and none is asked for', afterMs: 4500, mostEvictions: 0 },
  { name: 'a revision is missed for longer', afterMs: 120_000 },
  { name: 'a clock that was set back', afterMs: -7_200_000 },
  { name: 'a node that went away', driver: { nodes: nodes.slice(1) } },
  { name: 'nodes that went away in the middle', driver: { nodes: [...nodes.slice(0, 1), ...nodes.slice(4)] } },
  { name: 'nodes in another order', driver: { nodes: [...nodes].reverse() } },
  { name: 'a new node', driver: { nodes: [...nodes, node('new', { state: 'upgrade-required' })] } },
  {
    name: 'a node that is not ready',
    driver: { nodes: nodes.map((one) => (one.name === 'rest' ? { ...one, ready: 'False' as const } : one)) },
  },
  {
    name: 'a pod that is ending',
    driver: {
      pods: driver.pods.after(
        [...driver.pods]
          .filter(({ name }) => name === 'api')
          .map((before) => ({ before, after: { ...before, deletionMs: NOW + 9 } })),
      ),
    },
  },
  {
    name: 'a pod that is gone',
    driver: { pods: driver.pods.after([...driver.pods].filter(({ name }) => name === 'db').map((before) => ({ before, after: undefined }))) }, // prettier-ignore
  },
  {
    name: 'another refusal',
    driver: { evictions: evictionsOf(pods, new Map([...records, refused('uid-api', 8000, 2)])) },
  },
  {
    name: 'a budget that is known now',
    driver: {
      budgets: [{ namespace: 'apps', name: 'b', selector: { matchLabels: { app: 'db' } }, disruptionsAllowed: 0 }],
    },
  },
  { name: 'a DaemonSet that is gone elsewhere', driver: { foreignDaemonSets: new Map([['apps/agent', 'absent']]) } },
  { name: 'DaemonSets of another version', driver: { daemonSets: [daemonSet({ resourceVersion: '8' })] } },
  { name: 'a DaemonSet of another digest', driver: { daemonSets: [daemonSet({ digest: 'newer' })] } },
  { name: 'a DaemonSet that covers nothing', driver: { daemonSets: [daemonSet({ nodeSelector: { no: 'node' } })] } },
  { name: 'no revisions', driver: { revisions: [] } },
  { name: 'a pause', driver: { paused: true } },
  { name: 'a wider budget', policy: policyOf({ maxParallelUpgrades: 9, drain }, { gate }) },
  { name: 'no drain', policy: policyOf({ drain: { enable: false } }, { gate }) },
  { name: 'no autoUpgrade', policy: policyOf({ autoUpgrade: false }, { gate }) },
];

describe('what decisions recall', () => {
  it.each(laters)(
    'does not change the answer after $name',
    ({ driver: change, policy: next, afterMs = 0, mostEvictions }) => {
      const recall = createRecall();
      const options = mostEvictions === undefined ? {} : { mostEvictions };
      const steps = [
        { driver, policy, nowMs: NOW },
        { driver: { ...driver, ...change }, policy: next ?? policy, nowMs: NOW + afterMs },
        { driver: { ...driver, ...change }, policy: next ?? policy, nowMs: NOW + afterMs + 1 },
        { driver, policy, nowMs: NOW + afterMs + 2 },
      ];
      for (const step of steps) {
        const recalled = decide(step.driver, step.policy, step.nowMs, TRANSITIONS, { ...options, recall });
        expect(recalled).toEqual(decide(step.driver, step.policy, step.nowMs, TRANSITIONS, options));
      }
    },
  );

  it('is used: a decision on the same says the same words', () => {
    const recall = createRecall();
    const waits = () => {
      const { waiting } = decide(driver, policy, NOW, TRANSITIONS, { recall });
      return waiting.find((one) => one.node === 'drains');
    };
    const first = waits();
    expect(first).toBeDefined();
    expect(waits()).toBe(first);
  });

  it.each([
    { name: 'some', gone: 3 },
    { name: 'many', gone: 150 },
  ])('finds nodes again after $name went away', ({ gone }) => {
    const many = Array.from({ length: 300 }, (_, index) => node(`n-${index}`, { state: 'upgrade-done' }));
    const whole = snapshot({ nodes: many, pods: many.map(({ name }) => driverPod(name)) });
    const fewer = { ...whole, nodes: many.filter((_, index) => index < 10 || index >= 10 + gone) };
    const recall = createRecall();
    for (const one of [whole, fewer, fewer, whole]) {
      expect(decide(one, policy, NOW, TRANSITIONS, { recall })).toEqual(decide(one, policy, NOW));
    }
  });
});
