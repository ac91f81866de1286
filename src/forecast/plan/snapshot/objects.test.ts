import { describe, expect, it } from '@jest/globals';
import { fleetOf } from '../../../../test/plan/fleet.js';
import { changed, planOf, withMetadata, withSpec, type Item } from '../../../../test/plan/changed.js';
import { readSnapshot } from './objects.js';

const fleet = fleetOf({ nodes: 1, budget: { maxUnavailable: 1 } });

/** What is wrong with the snapshot where the object of a kind is changed. */
function problemOf(kind: string, change: (object: Item) => Item): string | undefined {
  const read = readSnapshot(JSON.stringify(changed(fleet, kind, /./, change).snapshot));
  return 'problem' in read ? read.problem : undefined;
}

describe('a snapshot', () => {
  const cases: readonly { name: string; kind: string; change: (object: Item) => Item; problem: string | undefined }[] =
    [
      {
        name: 'a list that is text',
        kind: 'Node',
        change: (node) => withSpec(node, { taints: 'none' }),
        problem: 'Node node-0000: `spec.taints` is no list',
      },
      {
        name: 'a member that lacks a field',
        kind: 'Node',
        change: (node) => withSpec(node, { taints: [{ key: 'a' }] }),
        problem: 'Node node-0000: `spec.taints[0].effect` is missing',
      },
      {
        name: 'a label that is a number',
        kind: 'Pod',
        change: (pod) => withMetadata(pod, { labels: { app: 1 } }),
        problem: 'Pod nno/mofed-node-0000: `metadata.labels.app` is no text',
      },
      {
        name: 'a time that is none',
        kind: 'Pod',
        change: (pod) => withMetadata(pod, { creationTimestamp: 'yesterday' }),
        problem: 'Pod nno/mofed-node-0000: `metadata.creationTimestamp` is not a time in RFC 3339',
      },
      {
        name: 'a quantity that is none',
        kind: 'Pod',
        change: (pod) => withSpec(pod, { overhead: { cpu: 'much' } }),
        problem: 'Pod nno/mofed-node-0000: `spec.overhead.cpu` is not a quantity from 0 on',
      },
      ...['1e308', '1e400', '-5', '0x10', 'NaN', 'Infinity', '9'.repeat(400)].map((text) => ({
        name: `${text.slice(0, 9)} of a resource`,
        kind: 'Node',
        change: (node: Item) => ({ ...node, status: { allocatable: { 'nvidia.com/gpu': text } } }),
        problem: 'Node node-0000: `status.allocatable.nvidia.com/gpu` is not a quantity from 0 on',
      })),
      {
        name: 'a percentage that is infinite',
        kind: 'PodDisruptionBudget',
        change: (budget) => withSpec(budget, { minAvailable: `${'9'.repeat(400)}%` }),
        problem: 'PodDisruptionBudget apps/app-0: `spec.minAvailable` is not a number or a percentage',
      },
      {
        name: 'a negative number',
        kind: 'ReplicaSet',
        change: (set) => withSpec(set, { replicas: -1 }),
        problem: 'ReplicaSet apps/app-0: `spec.replicas` is not a number from 0 on',
      },
      {
        name: 'a number that is too large',
        kind: 'ReplicaSet',
        change: (set) => withSpec(set, { replicas: 1e18 }),
        problem: 'ReplicaSet apps/app-0: `spec.replicas` is not a number below 2^53',
      },
      {
        name: 'data of a revision',
        kind: 'ControllerRevision',
        change: (revision) => ({ ...revision, data: { spec: { template: { spec: { containers: [null] } } } } }),
        problem: 'ControllerRevision nno/mofed-hash-old: `data.spec.template.spec.containers[0]` is no mapping',
      },
      { name: 'fields that are null', kind: 'Pod', change: (pod) => ({ ...pod, status: null }), problem: undefined },
      {
        name: 'fields that nothing reads',
        kind: 'Pod',
        change: (pod) => withSpec(pod, { dnsPolicy: 7 }),
        problem: undefined,
      },
      {
        name: 'a kind of another group',
        kind: 'ReplicaSet',
        change: (set) => ({ ...set, apiVersion: 'example.com/v1', spec: 7 }),
        problem: undefined,
      },
    ];
  it.each(cases)('with $name', ({ kind, change, problem }) => expect(problemOf(kind, change)).toBe(problem));

  it('is refused where it is too deep, or has an infinite number', () => {
    const text = JSON.stringify(fleet.snapshot);
    const deep = text.replace('"status":{', `"status":{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)},`);
    expect(readSnapshot(deep)).toEqual({ problem: 'it is nested more than 100 levels deep' });
    expect(readSnapshot(text.replace('"replicas":2', '"replicas":1e400'))).toEqual({
      problem: 'ReplicaSet apps/app-0: `spec.replicas` is no number',
    });
  });

  it('is planned where a controller wants two billion pods', () => {
    const many = changed(fleet, 'ReplicaSet', /./, (set) => withSpec(set, { replicas: 2 ** 31 - 1 }));
    expect(planOf(many)).toEqual(planOf(fleet));
  });
});
