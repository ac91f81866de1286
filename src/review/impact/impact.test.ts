import { describe, expect, it } from '@jest/globals';
import { KEEP_ANNOTATIONS, REMOVAL_ANNOTATION } from '../../shared/contract/labels.js';
import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { diffCluster, type ObjectDiff } from '../diff/diff.js';

function driver(rest: object = {}): KubernetesObject {
  const labels = { app: 'mofed', 'nvidia.com/ofed-driver': '' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'mofed-container', image: 'driver:1' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'mofed', namespace: 'ns', labels, annotations: KEEP_ANNOTATIONS },
    spec: { updateStrategy: { type: 'OnDelete' }, selector: { matchLabels: { app: 'mofed' } }, template },
    ...rest,
  };
}

function workload(kind: string, image: string, strategy?: string, apiVersion = 'apps/v1', app = 'a'): KubernetesObject {
  return {
    apiVersion,
    kind,
    metadata: { name: 'w', namespace: 'ns' },
    spec: {
      ...(strategy === undefined ? {} : { updateStrategy: { type: strategy } }),
      selector: { matchLabels: { app } },
      template: { spec: { containers: [{ name: 'c', image }] } },
    },
  };
}

const simple = (kind: string, rest: object = {}, metadata: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x', namespace: 'ns', ...metadata },
  ...rest,
});

const companionJob = (name: string, image = 'r/weft:1'): KubernetesObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'ns', labels: { 'weft.dev/component': 'companion' } },
  spec: { template: { spec: { containers: [{ name: 'companion', image }] } } },
});

const companionCronJob = (image: string): KubernetesObject => ({
  ...companionJob('weft-companion'),
  kind: 'CronJob',
  spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: 'companion', image }] } } } } },
});

const companionProgram = (name: string, program: string): KubernetesObject =>
  simple('ConfigMap', { data: { program } }, { name, labels: { 'weft.dev/component': 'companion' } });

/** An object with the annotation that its removal deletes pods on nodes. */
const dependedOn = (rules: number, annotations: object = {}): KubernetesObject =>
  simple('Rule', { spec: { rules } }, { annotations: { ...annotations, [REMOVAL_ANNOTATION]: 'drain' } });

type Expected = Pick<ObjectDiff, 'impact'> &
  Partial<Pick<ObjectDiff, 'pools' | 'poolsAtOnce' | 'mover' | 'isKept' | 'referrers' | 'refusedFields'>>;

const table: readonly {
  readonly name: string;
  readonly old: readonly KubernetesObject[];
  readonly next: readonly KubernetesObject[];
  readonly expected: readonly Expected[];
  /** A note of the first object. */
  readonly note?: RegExp;
}[] = [
  {
    name: 'what says that pods on nodes depend on it goes, and stays in the cluster',
    old: [dependedOn(1, KEEP_ANNOTATIONS)],
    next: [],
    expected: [{ impact: 'remove', pools: [], isKept: true }],
    note: /stays in the cluster/,
  },
  {
    name: 'what says that pods on nodes depend on it goes, and is pruned',
    old: [dependedOn(1)],
    next: [],
    expected: [{ impact: 'driver-loss', pools: ['h100', 'storage'], poolsAtOnce: ['h100', 'storage'] }],
    note: /driver pods depend on it/,
  },
  {
    name: 'what says that pods on nodes depend on it covers other nodes',
    old: [dependedOn(1)],
    next: [dependedOn(2)],
    expected: [{ impact: 'driver-loss', pools: ['h100', 'storage'], poolsAtOnce: [] }],
    note: /driver pods depend on it/,
  },
  {
    name: 'what says that pods on nodes depend on it gets annotations',
    old: [dependedOn(1)],
    next: [dependedOn(1, KEEP_ANNOTATIONS)],
    expected: [{ impact: 'metadata', pools: [] }],
  },
  {
    name: 'a DaemonSet',
    old: [workload('DaemonSet', 'a')],
    next: [workload('DaemonSet', 'b')],
    expected: [{ impact: 'restart' }],
  },
  {
    name: 'a DaemonSet whose pods stay',
    old: [workload('DaemonSet', 'a', 'OnDelete')],
    next: [workload('DaemonSet', 'b', 'OnDelete')],
    expected: [{ impact: 'restart' }],
    note: /OnDelete/,
  },
  {
    name: 'a Deployment',
    old: [workload('Deployment', 'a')],
    next: [workload('Deployment', 'b')],
    expected: [{ impact: 'restart' }],
  },
  {
    name: 'a selector',
    old: [workload('Deployment', 'a')],
    next: [workload('Deployment', 'a', undefined, 'apps/v1', 'b')],
    expected: [{ impact: 'restart', refusedFields: ['spec.selector'] }],
    note: /^cannot be applied: the API server refuses to change `spec.selector`; delete the object first/,
  },
  {
    name: 'a label',
    old: [workload('DaemonSet', 'a')],
    next: [{ ...workload('DaemonSet', 'a'), metadata: { name: 'w', namespace: 'ns', labels: { a: 'b' } } }],
    expected: [{ impact: 'metadata' }],
  },
  {
    name: 'a role of a binding',
    old: [simple('RoleBinding', { apiVersion: 'rbac.authorization.k8s.io/v1', roleRef: { name: 'a' } })],
    next: [simple('RoleBinding', { apiVersion: 'rbac.authorization.k8s.io/v1', roleRef: { name: 'b' } })],
    expected: [{ impact: 'remove', refusedFields: ['roleRef'] }],
    note: /refuses to change `roleRef`/,
  },
  {
    name: 'a ConfigMap that a pod mounts goes',
    old: [simple('ConfigMap'), simple('Pod', { spec: { volumes: [{ configMap: { name: 'x' } }] } })],
    next: [simple('Pod', { spec: { volumes: [{ configMap: { name: 'x' } }] } })],
    expected: [{ impact: 'remove', referrers: [{ kind: 'Pod', namespace: 'ns', name: 'x' }] }],
  },
  {
    name: 'what its annotations keep',
    old: [simple('CustomResourceDefinition', {}, { annotations: KEEP_ANNOTATIONS })],
    next: [],
    expected: [{ impact: 'remove', referrers: [] }],
    note: /stays in the cluster/,
  },
  {
    name: 'the next Job of the companion',
    old: [companionJob('weft-companion-1')],
    next: [companionJob('weft-companion-2')],
    expected: [{ impact: 'add' }, { impact: 'metadata' }],
  },
  {
    name: 'the next Job of the companion, with another program, where it has no CronJob',
    old: [companionCronJob('r/weft:1'), companionJob('weft-companion-1')],
    next: [companionJob('weft-companion-2', 'r/weft:2')],
    expected: [{ impact: 'policy' }, { impact: 'remove' }, { impact: 'metadata' }],
    note: /another program: the image of the companion is `weft:2`; before: `weft:1`/,
  },
  {
    name: 'the CronJob of the companion with another program, and its Job',
    old: [companionCronJob('r/weft:1'), companionJob('weft-companion-1')],
    next: [companionCronJob('other/weft:1'), companionJob('weft-companion-2', 'other/weft:1')],
    expected: [{ impact: 'policy' }, { impact: 'add' }, { impact: 'metadata' }],
    note: /another program: the image of the companion is `other\/weft:1`; before: `r\/weft:1`/,
  },
  {
    name: 'another program of the companion, in a ConfigMap of its own',
    old: [companionProgram('weft-companion-program', 'a'), companionJob('weft-companion-1')],
    next: [companionProgram('weft-companion-program-2', 'b'), companionJob('weft-companion-2')],
    expected: [{ impact: 'policy' }, { impact: 'add' }, { impact: 'metadata' }, { impact: 'metadata' }],
    note: /another program: the companion of another version of Weft/,
  },
  {
    name: 'the first program of the companion',
    old: [],
    next: [companionProgram('weft-companion-program-1', 'a')],
    expected: [{ impact: 'add' }],
  },
  {
    name: 'the last program of the companion',
    old: [companionProgram('weft-companion-program-1', 'a')],
    next: [],
    expected: [{ impact: 'remove' }],
  },
  {
    name: 'the last Job of the companion',
    old: [companionJob('weft-companion-1')],
    next: [],
    expected: [{ impact: 'remove' }],
  },
];

/** Two pools whose driver stays the same. */
const COVERAGE = ['h100', 'storage'].map((pool): DriverCoverage => ({
  ...{
    pool,
    osName: 'ubuntu',
    osVersion: '24.04',
    rhcosVersion: '',
    arch: 'amd64',
    kernel: '',
    labels: [],
    taints: [],
  },
  ...{ policy: 'NicNodePolicy h100', autoUpgrade: true, gate: 'label' },
  ...{ daemonSet: `ns/mofed-${pool}`, image: 'driver:1', digest: 'd' },
}));
const NOTHING = { coverage: COVERAGE };

function compare(old: readonly KubernetesObject[], next: readonly KubernetesObject[]) {
  return diffCluster({ name: 'east', old: { objects: old, coverage: COVERAGE }, next: { objects: next, ...NOTHING } })
    .objects;
}

describe('impact', () => {
  it.each(table)('$name', ({ old, next, expected, note }) => {
    const found = compare(old, next);
    expect(found).toMatchObject(expected);
    expect(found).toHaveLength(expected.length);
    if (note) expect(found[0]?.notes.join('\n')).toMatch(note);
  });

  it('knows the workloads of Kubernetes from those of others', () => {
    const found = compare(
      [workload('DaemonSet', 'a', undefined, 'apps.example.com/v1')],
      [workload('DaemonSet', 'b', undefined, 'apps.example.com/v1')],
    );
    expect(found).toMatchObject([{ impact: 'rights' }]);
  });

  it('takes an old driver of any shape', () => {
    const spec = { updateStrategy: 7, selector: null, template: { spec: { containers: [null], volumes: 'text' } } };
    const broken = { ...driver(), spec } as KubernetesObject;
    expect(compare([broken], [driver()])).toMatchObject([{ impact: 'driver-loss', mover: 'none' }]);
    expect(compare([broken], [])).toMatchObject([{ impact: 'driver-loss', isKept: true }]);
  });
});

describe('a whole cluster', () => {
  it('is new', () => {
    const diff = diffCluster({ name: 'east', next: { objects: [driver()], ...NOTHING } });
    expect(diff).toMatchObject({ change: 'added', objects: [{ impact: 'add' }] });
  });

  it('goes, and its drivers run on', () => {
    const diff = diffCluster({ name: 'east', old: { objects: [driver(), simple('ConfigMap')] } });
    expect(diff).toMatchObject({
      change: 'removed',
      objects: [
        { impact: 'driver-loss', isKept: true },
        { impact: 'remove', isKept: false },
      ],
    });
    expect(diff.objects[0]?.notes.join()).toMatch(
      /nothing upgrades it; the whole cluster leaves the output,stays in the cluster with its pods/,
    );
  });
});

describe('objects', () => {
  it('are the same in another version of their group', () => {
    const old = { ...simple('Thing'), apiVersion: 'example.com/v1beta1' };
    const next = { ...simple('Thing'), apiVersion: 'example.com/v1' };
    expect(compare([old], [next])).toMatchObject([{ change: 'changed', fields: [{ path: 'apiVersion' }] }]);
  });

  it('of Secrets hide what they hold', () => {
    const secret = (rest: object) => simple('Secret', rest);
    const old = secret({ type: 'a', data: { gone: 'c2VjcmV0', same: 'x', json: '{"a":"s1"}' } });
    const next = secret({
      type: 'b',
      data: { came: 'c2VjcmV0', same: 'y', json: '{"a":"s2"}' },
      stringData: { a: 's3' },
    });
    const [found] = compare([old], [next]);
    expect(found?.fields).toEqual([
      { kind: 'added', path: 'data.came', to: '(hidden)' },
      { kind: 'removed', path: 'data.gone', from: '(hidden)' },
      { kind: 'changed', path: 'data.json', from: '(hidden)', to: '(hidden)' },
      { kind: 'changed', path: 'data.same', from: '(hidden)', to: '(hidden)' },
      { kind: 'added', path: 'stringData', to: '(hidden)' },
      { kind: 'changed', path: 'type', from: 'a', to: 'b' },
    ]);
  });

  it('of Secrets in other objects hide what these hold', () => {
    const secret = (value: string) => ({
      ...{ apiVersion: 'v1', kind: 'Secret', type: value === 's1' ? 'a' : 'b', data: { a: value } },
      metadata: {
        name: 'a',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"data":{"a":"${value}"}}` },
      },
    });
    const holding = (value: string) => {
      const one = secret(value);
      const more = value === 's1' ? [] : [secret('s3')];
      const data = { json: JSON.stringify(one), yaml: `kind: Secret\ndata: {a: ${value}}\n` };
      return simple('Thing', {
        spec: { manifests: [one, ...more], one, data, [`of-${more.length}`]: { inner: [secret('s4')] } },
      });
    };
    const found = compare(
      [holding('s1'), simple('Other', { spec: { secret: 1 } })],
      [holding('s2'), simple('Other', { spec: { secret: secret('s5') } })],
    );
    expect(found.length).toBe(2);
    expect(JSON.stringify(found)).not.toMatch(/s[1-5]/);
    expect(found[1]?.fields).toContainEqual({ kind: 'changed', path: 'spec.one.type', from: 'a', to: 'b' });
  });

  it('that the caller knows to be the same are not compared, but are referred from', () => {
    const pod = simple('Pod', { spec: { serviceAccountName: 'x' } });
    const diff = diffCluster({
      name: 'east',
      old: { objects: [simple('ServiceAccount')] },
      next: { objects: [pod], same: new Set([pod]), ...NOTHING },
    });
    expect(diff.objects).toMatchObject([{ impact: 'remove', referrers: [{ kind: 'Pod' }] }]);
  });
});
