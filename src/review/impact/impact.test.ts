import { describe, expect, it } from '@jest/globals';
import { allComponents } from '../../components/all.js';
import { KEEP_ANNOTATIONS, REMOVAL_ANNOTATION } from '../../contract/labels.js';
import type { KubernetesObject } from '../../kubernetes/types.js';
import { diffCluster, type ClusterSides, type ObjectDiff } from '../diff/diff.js';

const KERNEL = 'feature.node.kubernetes.io/kernel-version.full';
const SYSTEM = 'feature.node.kubernetes.io/system-os_release';

const withUpgradePolicy = allComponents.find(({ upgradePolicy }) => upgradePolicy !== undefined);

/** Two pools, one of them with two kernels, and a policy for each. */
function configOf(isAutomatic: boolean): NonNullable<ClusterSides['next']>['config'] {
  const pool = (name: string, kernel: string, version = '22.04') => ({
    name,
    labels: { pool: name, [KERNEL]: kernel, [`${SYSTEM}.VERSION_ID`]: version },
  });
  const instance = { owner: { label: 'nnp-h100' }, spec: { upgradePolicy: { autoUpgrade: isAutomatic } } };
  return {
    cluster: { pools: [pool('h100', '6.8'), pool('h100', '6.9'), pool('storage', '5.14', '20.04')] },
    instances: new Map([[withUpgradePolicy?.id ?? '', [instance]]]),
  } as unknown as NonNullable<ClusterSides['next']>['config'];
}

interface DriverOptions {
  readonly name?: string;
  readonly namespace?: string;
  readonly image?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: object;
  readonly app?: string;
  readonly probeSeconds?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

function driver(options: DriverOptions = {}): KubernetesObject {
  const { name = 'mofed', image = 'driver:1', nodeSelector = { pool: 'h100' }, app = 'mofed', affinity } = options;
  const labels = { app, 'nvidia.com/ofed-driver': '' };
  const container = { name: 'mofed-container', image, readinessProbe: { periodSeconds: options.probeSeconds ?? 10 } };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      name,
      namespace: options.namespace ?? 'ns',
      labels: { ...labels, 'ds-owner': 'nnp-h100' },
      annotations: options.annotations ?? KEEP_ANNOTATIONS,
    },
    spec: {
      updateStrategy: { type: 'OnDelete' },
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels },
        spec: { nodeSelector, containers: [container], ...(affinity ? { affinity } : {}) },
      },
    },
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

/** An object whose annotation says that pods on nodes end when it goes. */
const dependedOn = (rules: number, annotations: object = {}): KubernetesObject =>
  simple('Rule', { spec: { rules } }, { annotations: { ...annotations, [REMOVAL_ANNOTATION]: 'drain' } });

const companionJob = (name: string): KubernetesObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'ns', labels: { 'weft.dev/component': 'companion' } },
});

const companionCronJob: KubernetesObject = { ...companionJob('weft-companion'), kind: 'CronJob' };

type Expected = Pick<ObjectDiff, 'impact'> &
  Partial<Pick<ObjectDiff, 'pools' | 'poolsAtOnce' | 'mover' | 'referrers' | 'refusedFields'>>;

const table: readonly {
  readonly name: string;
  readonly old: readonly KubernetesObject[];
  readonly next: readonly KubernetesObject[];
  readonly isAutomatic?: boolean;
  readonly expected: readonly Expected[];
  /** What a note of the first object says. */
  readonly note?: RegExp;
}[] = [
  {
    name: 'another driver image',
    old: [driver()],
    next: [driver({ image: 'driver:2' })],
    expected: [{ impact: 'drain', pools: ['h100'], poolsAtOnce: [], mover: 'missing-companion' }],
  },
  {
    name: 'another driver image, and the companion comes with it',
    old: [driver()],
    next: [driver({ image: 'driver:2' }), companionJob('weft-companion-1')],
    expected: [{ impact: 'drain', pools: ['h100'], mover: 'companion' }, { impact: 'add' }],
  },
  {
    name: 'another driver image, and the companion runs by the clock',
    old: [driver(), companionCronJob],
    next: [driver({ image: 'driver:2' }), companionCronJob],
    expected: [{ impact: 'drain', pools: ['h100'], mover: 'companion' }],
  },
  {
    name: 'another driver image, and nothing upgrades by itself',
    old: [driver()],
    next: [driver({ image: 'driver:2' })],
    isAutomatic: false,
    expected: [{ impact: 'drain', pools: ['h100'], mover: 'nobody' }],
  },
  {
    name: 'what says that pods on nodes depend on it goes, and stays in the cluster',
    old: [dependedOn(1, KEEP_ANNOTATIONS), driver()],
    next: [driver()],
    expected: [{ impact: 'drain', pools: ['h100', 'storage'], poolsAtOnce: [] }],
    note: /stays in the cluster/,
  },
  {
    name: 'what says that pods on nodes depend on it goes, and is pruned',
    old: [dependedOn(1)],
    next: [],
    expected: [{ impact: 'drain', pools: ['h100', 'storage'], poolsAtOnce: ['h100', 'storage'] }],
    note: /driver pods depend on it/,
  },
  {
    name: 'what says that pods on nodes depend on it covers other nodes',
    old: [dependedOn(1)],
    next: [dependedOn(2)],
    expected: [{ impact: 'drain', pools: ['h100', 'storage'], poolsAtOnce: [] }],
    note: /driver pods depend on it/,
  },
  {
    name: 'what says that pods on nodes depend on it gets annotations',
    old: [dependedOn(1)],
    next: [dependedOn(1, KEEP_ANNOTATIONS)],
    expected: [{ impact: 'cosmetic', pools: [] }],
  },
  {
    name: 'a probe of a driver',
    old: [driver()],
    next: [driver({ probeSeconds: 30 })],
    expected: [{ impact: 'cosmetic', pools: [] }],
    note: /no node is drained/,
  },
  {
    name: 'a driver on fewer nodes',
    old: [driver({ nodeSelector: {} })],
    next: [driver()],
    expected: [{ impact: 'drain', pools: ['storage'], poolsAtOnce: ['storage'] }],
    note: /no longer selects pool `storage`: .* without a drain/,
  },
  {
    name: 'another driver image on fewer nodes',
    old: [driver({ nodeSelector: {} })],
    next: [driver({ image: 'driver:2' })],
    expected: [{ impact: 'drain', pools: ['h100', 'storage'], poolsAtOnce: ['storage'], mover: 'missing-companion' }],
    note: /no longer selects pool `storage`: .* without a drain/,
  },
  {
    name: 'a driver on fewer nodes, by affinity',
    old: [driver({ nodeSelector: {} })],
    next: [
      driver({
        nodeSelector: {},
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'NotIn', values: ['h100'] }] }],
            },
          },
        },
      }),
    ],
    expected: [{ impact: 'drain', pools: ['h100'] }],
  },
  {
    name: 'a driver on more nodes',
    old: [driver()],
    next: [driver({ nodeSelector: {} })],
    expected: [{ impact: 'cosmetic' }],
    note: /also selects pool `storage`/,
  },
  {
    name: 'another selector of a driver',
    old: [driver()],
    next: [driver({ app: 'mofed2' })],
    expected: [{ impact: 'drain', pools: ['h100'], refusedFields: ['spec.selector'] }],
    note: /delete the object first, with `--cascade=orphan`, which leaves its pods/,
  },
  {
    name: 'a driver with a kernel in place of one without',
    old: [driver()],
    next: [driver({ name: 'mofed-6.8', nodeSelector: { pool: 'h100', [KERNEL]: '6.8' } })],
    expected: [{ impact: 'drain', pools: ['h100'], mover: 'missing-companion' }, { impact: 'add' }],
    note: /retired: `mofed-6.8` replaces it/,
  },
  {
    name: 'a driver in another namespace',
    old: [driver()],
    next: [driver({ namespace: 'other' })],
    expected: [{ impact: 'drain', pools: ['h100'], mover: 'missing-companion' }, { impact: 'add' }],
    note: /retired: `mofed` in namespace `other` replaces it/,
  },
  {
    name: 'a kernel that left the input',
    old: [driver({ nodeSelector: { pool: 'storage', [KERNEL]: '5.10' } })],
    next: [driver({ name: 'new', nodeSelector: { pool: 'storage', [KERNEL]: '5.14' } })],
    expected: [{ impact: 'drain', pools: ['storage'] }, { impact: 'add' }],
    note: /no pool has kernel `5.10` any more: list it in `kernels`/,
  },
  {
    name: 'a kernel that left the input, and that another pool has',
    old: [driver({ nodeSelector: { pool: 'storage', [KERNEL]: '6.8' } })],
    next: [driver({ name: 'new', nodeSelector: { pool: 'storage', [KERNEL]: '5.14' } })],
    expected: [{ impact: 'drain', pools: ['storage'] }, { impact: 'add' }],
    note: /no pool that fits otherwise has kernel `6.8` any more: list it in `kernels`/,
  },
  ...[
    { name: 'an OS', key: `${SYSTEM}.ID`, value: 'rhel', said: 'OS `rhel`' },
    { name: 'a version of an OS', key: `${SYSTEM}.VERSION_ID`, value: '24.04', said: 'OS version `24.04`' },
    { name: 'a version of RHCOS', key: `${SYSTEM}.OSTREE_VERSION`, value: '4.18', said: 'RHCOS version `4.18`' },
    { name: 'an architecture', key: 'kubernetes.io/arch', value: 'arm64', said: 'architecture `arm64`' },
    { name: 'a label', key: 'rack', value: 'r1', said: 'label `rack=r1`' },
  ].map(({ name, key, value, said }) => ({
    name: `${name} that left the input, while its kernel stays`,
    old: [driver({ nodeSelector: { [key]: value, [KERNEL]: '6.8' } })],
    next: [],
    expected: [{ impact: 'drain', pools: [] } as const],
    note: new RegExp(`no pool has ${said} any more: keep a pool with it until its nodes have moved on$`),
  })),
  {
    name: 'a version of an OS that left the input together with its kernel',
    old: [driver({ nodeSelector: { [`${SYSTEM}.VERSION_ID`]: '24.04', [KERNEL]: '6.11' } })],
    next: [],
    expected: [{ impact: 'drain', pools: [] }],
    note: /no pool has OS version `24.04` or kernel `6.11` any more: keep a pool with them until/,
  },
  {
    name: 'a driver for what no pool has at once any more',
    old: [driver({ nodeSelector: { pool: 'storage', [`${SYSTEM}.VERSION_ID`]: '22.04' } })],
    next: [],
    expected: [{ impact: 'drain', pools: [] }],
    note: /no pool covers its nodes any more \(`pool=storage`, .*22\.04`\): keep one until they have moved on$/,
  },
  {
    name: 'a driver without a successor',
    old: [driver()],
    next: [],
    expected: [{ impact: 'drain', pools: ['h100'] }],
    note: /no driver takes its place/,
  },
  {
    name: 'a driver that nothing keeps',
    old: [driver({ annotations: {} })],
    next: [],
    expected: [{ impact: 'drain', pools: ['h100'], poolsAtOnce: ['h100'] }],
    note: /pruning deletes it and its pods at once/,
  },
  {
    name: 'a driver for a new pool',
    old: [],
    next: [driver()],
    expected: [{ impact: 'add', pools: [] }],
    note: /for the nodes of pool `h100`/,
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
    expected: [{ impact: 'cosmetic' }],
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
    note: /^cannot be applied: the API server refuses to change `spec.selector`; delete the object first$/,
  },
  {
    name: 'a label',
    old: [workload('DaemonSet', 'a')],
    next: [{ ...workload('DaemonSet', 'a'), metadata: { name: 'w', namespace: 'ns', labels: { a: 'b' } } }],
    expected: [{ impact: 'cosmetic' }],
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
    expected: [{ impact: 'add' }, { impact: 'cosmetic' }],
  },
  {
    name: 'the last Job of the companion',
    old: [companionJob('weft-companion-1')],
    next: [],
    expected: [{ impact: 'remove' }],
  },
];

function compare(old: readonly KubernetesObject[], next: readonly KubernetesObject[], isAutomatic: boolean) {
  return diffCluster({ name: 'east', old, next: { objects: next, config: configOf(isAutomatic) } }).objects;
}

describe('impact', () => {
  it.each(table)('$name', ({ old, next, isAutomatic = true, expected, note }) => {
    const found = compare(old, next, isAutomatic);
    expect(found).toMatchObject(expected);
    expect(found).toHaveLength(expected.length);
    if (note) expect(found[0]?.notes.join('\n')).toMatch(note);
  });

  it('knows the workloads of Kubernetes from those of others', () => {
    const found = compare(
      [workload('DaemonSet', 'a', undefined, 'apps.example.com/v1')],
      [workload('DaemonSet', 'b', undefined, 'apps.example.com/v1')],
      true,
    );
    expect(found).toMatchObject([{ impact: 'cosmetic' }]);
  });

  it('takes an old driver of any shape', () => {
    const spec = { updateStrategy: 7, selector: null, template: { spec: { containers: [null], volumes: 'text' } } };
    const broken = { ...driver(), spec } as KubernetesObject;
    expect(compare([broken], [driver()], true)).toMatchObject([{ impact: 'drain' }]);
    expect(compare([broken], [], true)).toMatchObject([{ impact: 'drain' }]);
  });
});

describe('a whole cluster', () => {
  it('is new', () => {
    const diff = diffCluster({ name: 'east', next: { objects: [driver()], config: configOf(true) } });
    expect(diff).toMatchObject({ change: 'added', objects: [{ impact: 'add' }] });
  });

  it('goes, and its drivers run on', () => {
    const diff = diffCluster({ name: 'east', old: [driver(), simple('ConfigMap')] });
    expect(diff).toMatchObject({ change: 'removed', objects: [{ impact: 'drain', pools: [] }, { impact: 'remove' }] });
    expect(diff.objects[0]?.notes.join()).toMatch(/nothing retires this driver: it runs on/);
  });
});

describe('objects', () => {
  it('are the same in another version of their group', () => {
    const old = { ...simple('Thing'), apiVersion: 'example.com/v1beta1' };
    const next = { ...simple('Thing'), apiVersion: 'example.com/v1' };
    expect(compare([old], [next], true)).toMatchObject([{ change: 'changed', fields: [{ path: 'apiVersion' }] }]);
  });

  it('of Secrets hide what they hold', () => {
    const secret = (rest: object) => simple('Secret', rest);
    const old = secret({ type: 'a', data: { gone: 'c2VjcmV0', same: 'x', json: '{"a":"s1"}' } });
    const next = secret({
      type: 'b',
      data: { came: 'c2VjcmV0', same: 'y', json: '{"a":"s2"}' },
      stringData: { a: 's3' },
    });
    const [found] = compare([old], [next], true);
    expect(found?.fields).toEqual([
      { kind: 'added', path: 'data.came', to: '(hidden)' },
      { kind: 'removed', path: 'data.gone', from: '(hidden)' },
      { kind: 'changed', path: 'data.json', from: '(hidden)', to: '(hidden)' },
      { kind: 'changed', path: 'data.same', from: '(hidden)', to: '(hidden)' },
      { kind: 'added', path: 'stringData', to: '(hidden)' },
      { kind: 'changed', path: 'type', from: 'a', to: 'b' },
    ]);
  });

  it('that the caller knows to be the same are not compared, but are referred from', () => {
    const pod = simple('Pod', { spec: { serviceAccountName: 'x' } });
    const diff = diffCluster({
      name: 'east',
      old: [simple('ServiceAccount')],
      next: { objects: [pod], same: new Set([pod]), config: configOf(true) },
    });
    expect(diff.objects).toMatchObject([{ impact: 'remove', referrers: [{ kind: 'Pod' }] }]);
  });
});
