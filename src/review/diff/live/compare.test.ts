import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { identityOf } from '../../../shared/kubernetes/identity.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { valueAt } from '../../../shared/lib/json.js';
import type { ClusterDiff } from '../diff.js';
import { compareLive } from './compare.js';
import type { Applier } from './managed-fields.js';

interface Recorded {
  readonly rendered: readonly KubernetesObject[];
  /** As Kubernetes 1.34 has them after the operator (`operator`) or Helm (`chart`) created them. */
  readonly live: readonly KubernetesObject[];
}

const RECORDED = JSON.parse(readFileSync('test/review/as-operator-made.json', 'utf8')) as {
  readonly operator: Recorded;
  readonly chart: Recorded;
};

/** A path and the new value there. */
type Change = readonly [path: readonly (string | number)[], value: unknown];

/** The object of that kind and of that beginning of its name, changed. */
function changed(objects: readonly KubernetesObject[], kind: string, name: string, [path, value]: Change) {
  const all = structuredClone(objects);
  const found = all.filter((object) => object.kind === kind && object.metadata.name.startsWith(name));
  if (found.length !== 1) throw new Error(`${found.length} objects are ${kind} ${name}…`);
  const parent = valueAt(found[0], path.slice(0, -1)) as Record<string | number, unknown>;
  parent[path.at(-1) ?? ''] = value;
  return all;
}

const compare = (
  rendered: readonly KubernetesObject[],
  live: readonly KubernetesObject[],
  applier: Applier = 'plain',
  dryRun?: ReadonlyMap<string, KubernetesObject>,
): ClusterDiff =>
  compareLive({ name: 'east', rendered, live, applier, settings: {}, coverage: [], ...(dryRun && { dryRun }) });

const QUIET = 'no pod restarts, and no node is drained';

/** What differs, as `class kind: fields`, without annotations. */
const lines = ({ objects }: ClusterDiff) =>
  objects.map(({ impact, kind, fields }) => {
    const shown = fields.map((field) => `${field.kind} ${field.path}`).filter((text) => !text.includes(' metadata.'));
    return [`${impact} ${kind}`, ...shown].join(', ');
  });

const { operator, chart } = RECORDED;
/** As the objects are after they were applied. */
const applied = ({ rendered, live }: Recorded) =>
  live.map((object) => {
    const { metadata } = rendered.find((one) => identityOf(one) === identityOf(object)) ?? object;
    return { ...object, metadata };
  });

/** The configuration of the RDMA device plugin with other white space. */
function spacedConfig(): string {
  const map = operator.rendered.find(({ kind }) => kind === 'ConfigMap');
  return JSON.stringify(JSON.parse(String(valueAt(map, ['data', 'config.json']))), null, 7);
}

describe('compareLive', () => {
  it('finds in what the operator made only annotations, and says who owns what', () => {
    const result = compare(operator.rendered, operator.live);
    expect(lines(result)).toEqual(['metadata DaemonSet', 'metadata ClusterRoleBinding']);
    expect(result.restarts).toEqual([]);
    expect(result.notes).toEqual([
      QUIET,
      'the field manager `manager` owns fields that change in 2 objects: Deployment nvidia-network-operator/nic-configuration-operator, ConfigMap nvidia-network-operator/rdma-devices: server-side apply needs `--force-conflicts`',
      expect.stringMatching(
        /^NicClusterPolicy\/nic-cluster-policy of the operator owns 6 objects: .*: they go when it is deleted$/,
      ),
    ]);
  });

  it('finds nothing that restarts in the Node Feature Discovery of the chart', () => {
    const result = compare(chart.rendered, chart.live);
    expect(lines(result)).toEqual(['metadata DaemonSet', 'metadata ConfigMap', 'metadata ConfigMap']);
    expect(result.restarts).toEqual([]);
    expect(result.notes).toEqual([
      QUIET,
      expect.stringMatching(/^`helm uninstall network-operator` deletes .* in 3 objects: /),
    ]);
  });

  it('finds nothing at all once the objects are applied', () => {
    for (const recorded of [operator, chart]) {
      expect(compare(recorded.rendered, applied(recorded))).toMatchObject({ objects: [], notes: [] });
    }
  });

  it.each<{ name: string; kind: string; object: string; change: Change; expected: readonly string[] }>([
    {
      name: 'a restart',
      kind: 'DaemonSet',
      object: 'doca',
      change: [['spec', 'template', 'spec', 'containers', 0, 'image'], 'x:1'],
      expected: ['restart DaemonSet, changed spec.template.spec.containers[doca-telemetry-service].image'],
    },
    {
      name: 'a refused field',
      kind: 'ClusterRoleBinding',
      object: 'ofed',
      change: [['roleRef', 'name'], 'other'],
      expected: ['rights ClusterRoleBinding, changed roleRef.name'],
    },
    {
      name: 'content of a file',
      kind: 'ConfigMap',
      object: 'network-operator-node-feature-discovery-worker',
      change: [['data', 'nfd-worker.conf'], '{"sources": {}}'],
      expected: ['metadata ConfigMap, changed data["nfd-worker.conf"]'],
    },
    {
      name: 'no other spelling',
      kind: 'ConfigMap',
      object: 'rdma',
      change: [['data', 'config.json'], spacedConfig()],
      expected: [],
    },
    {
      name: 'a field that is not rendered, where nobody is known to own it',
      kind: 'Deployment',
      object: 'nic',
      change: [['spec', 'template', 'spec', 'hostPID'], true],
      expected: ['restart Deployment, removed spec.template.spec.hostPID'],
    },
  ])('finds $name', ({ kind, object, change, expected }) => {
    const both = {
      rendered: [...operator.rendered, ...chart.rendered],
      live: [...applied(operator), ...applied(chart)],
    };
    expect(lines(compare(both.rendered, changed(both.live, kind, object, change)))).toEqual(expected);
  });

  it('finds a driver that differs when its pod is made anew, and says that none is', () => {
    const path = ['spec', 'template', 'spec', 'terminationGracePeriodSeconds'];
    const live = changed(applied(operator), 'DaemonSet', 'mofed', [path, 77]);
    const { rendered } = operator;
    const result = compareLive({
      name: 'east',
      rendered,
      live,
      applier: 'plain',
      settings: {},
      coverage: [],
      nodes: [],
    });
    expect(lines(result)).toEqual(['restart DaemonSet, changed spec.template.spec.terminationGracePeriodSeconds']);
    expect(result.notes).toEqual([QUIET]);
  });

  it('names removed objects of the operator and of Weft, and leaves out those of others', () => {
    const [first, ...rest] = operator.rendered;
    const other = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', namespace: 'nvidia-network-operator' },
    };
    const result = compare(rest, [...applied(operator), other]);
    expect(result.objects.map(({ change, name }) => `${change} ${name}`)).toEqual([`removed ${first?.metadata.name}`]);
    expect(compare([], operator.live).objects).toHaveLength(operator.live.length);
  });

  it('names an object that is missing', () => {
    const [first, ...rest] = applied(operator);
    const [only, ...others] = compare(operator.rendered, rest).objects;
    expect([only?.change, only?.name, others]).toEqual(['added', first?.metadata.name, []]);
  });

  it('believes a dry run of the API server', () => {
    const map = operator.rendered.find(({ kind }) => kind === 'ConfigMap') as KubernetesObject;
    const made = { ...map, data: { 'config.json': '{"by": "a webhook"}' } };
    const live = changed(applied(operator), 'ConfigMap', 'rdma', [['data'], made.data]);
    expect(lines(compare(operator.rendered, live))).toEqual([expect.stringContaining('metadata ConfigMap')]);
    expect(lines(compare(operator.rendered, live, 'plain', new Map([[identityOf(map), made]])))).toEqual([]);
  });
});

describe('field managers', () => {
  const rendered = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'n' }, data: { a: '1' } };
  const live = (...managed: readonly (readonly [string, readonly string[]])[]): KubernetesObject => ({
    ...rendered,
    metadata: {
      ...rendered.metadata,
      managedFields: managed.map(([manager, keys]) => {
        const data = Object.fromEntries(keys.map((key) => [`f:${key}`, {}]));
        return { manager, operation: 'Apply', fieldsV1: { 'f:data': data } };
      }),
    } as KubernetesObject['metadata'],
    data: { a: '1', b: '2' },
  });

  it.each<{
    name: string;
    applier: Applier;
    managed: readonly (readonly [string, readonly string[]])[];
    fields: readonly string[];
    note?: RegExp;
  }>([
    { name: 'ours goes', applier: 'plain', managed: [['kubectl', ['a', 'b']]], fields: ['removed data.b'] },
    {
      name: 'that of another stays',
      applier: 'plain',
      managed: [
        ['kubectl', ['a']],
        ['helm', ['b']],
      ],
      fields: [],
      note: /^fields that are not rendered stay, because `helm` owns them, in ConfigMap n\/x$/,
    },
    {
      name: 'Argo CD’s goes where it applies',
      applier: 'argocd',
      managed: [['argocd-controller', ['a', 'b']]],
      fields: ['removed data.b'],
    },
    {
      name: 'Argo CD’s stays where kubectl applies',
      applier: 'plain',
      managed: [['argocd-controller', ['a', 'b']]],
      fields: [],
      note: /stay, because `argocd-controller`/,
    },
  ])('a field that is not rendered: $name', ({ applier, managed, fields, note }) => {
    const diff = compare([rendered], [live(...managed)], applier);
    expect(diff.objects.flatMap((object) => object.fields.map(({ kind, path }) => `${kind} ${path}`))).toEqual(fields);
    if (note) expect(diff.notes.join('\n')).toMatch(note);
  });

  it.each([
    {
      name: 'Argo CD',
      metadata: { annotations: { 'argocd.argoproj.io/tracking-id': 'nvidia:/ConfigMap:n/x' } },
      applier: 'argocd' as const,
      said: 'the Application `nvidia` of Argo CD',
    },
    {
      name: 'Flux',
      metadata: { labels: { 'kustomize.toolkit.fluxcd.io/name': 'k', 'kustomize.toolkit.fluxcd.io/namespace': 'f' } },
      applier: 'flux' as const,
      said: 'the Kustomization `k` of Flux',
    },
  ])('an object that $name tracks is named, unless that applies the output', ({ metadata, applier, said }) => {
    const tracked = { ...rendered, metadata: { ...rendered.metadata, ...metadata } };
    expect(compare([rendered], [tracked]).notes).toEqual([expect.stringContaining(said)]);
    expect(compare([rendered], [tracked], applier)).toMatchObject({ objects: [], notes: [] });
  });
});
