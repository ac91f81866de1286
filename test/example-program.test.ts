import { describe, expect, it } from '@jest/globals';
import { InvalidConfigError } from 'weft-gitops';
import { resolveConfig } from './kit/resolve-config.js';
import { buildObjects } from '../src/compile/synth.js';
import { documents } from './example-program/documents.js';
import { program } from './example-program/program.js';

const CLUSTER_SCOPED = ['Namespace', 'NodeFeatureRule', 'ClusterRole', 'ClusterRoleBinding'];

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

function manifestsOf(root: ReturnType<typeof program>): readonly Manifest[] {
  return root.charts.flatMap((chart) => chart.toJson() as readonly Manifest[]);
}

/** Kind, namespace and name. */
const identity = ({ kind, metadata: { name, namespace = '' } }: Manifest): string => `${kind} ${namespace} ${name}`;

const inOrder = (objects: readonly Manifest[]): readonly Manifest[] =>
  [...objects].sort((a, b) => (identity(a) < identity(b) ? -1 : 1));

/** `test/new-component.test.ts` checks the types of the program, because the compiler takes long to read all types of the library. */
describe("a cdk8s program of a user's own", () => {
  it('gives the objects of `weft synth`, with the labels of its own charts, and its own object', () => {
    const own = manifestsOf(program());
    const expected = buildObjects(resolveConfig(documents)).objects.map(({ object }) => object);
    const withoutTeam = own
      .filter(({ kind }) => kind !== 'ResourceQuota')
      .map(({ metadata: { labels, namespace, ...metadata }, ...rest }) => {
        const { team, ...others } = labels ?? {};
        expect(team).toBe(rest.kind === 'NetworkAttachmentDefinition' ? undefined : 'platform');
        const isNamespaced = !CLUSTER_SCOPED.includes(rest.kind);
        const left = Object.keys(others).length === 0 ? {} : { labels: others };
        return { ...rest, metadata: { ...metadata, ...(isNamespaced && { namespace }), ...left } };
      });
    expect(inOrder(withoutTeam)).toEqual(inOrder(expected));
    expect(own.filter(({ kind }) => kind === 'ResourceQuota')).toHaveLength(1);
  });

  it('has no namespace on objects of the whole cluster, although its chart has one', () => {
    const clusterWide = manifestsOf(program()).filter(({ kind }) => CLUSTER_SCOPED.includes(kind));
    expect(clusterWide.map(({ metadata }) => metadata.namespace)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('is compiled to files by cdk8s itself', () => {
    const yaml = program().synthYaml();
    expect(yaml.match(/^kind: DaemonSet$/gm)).toHaveLength(3);
  });
});

describe('resolveConfig', () => {
  const broken = [
    { ...documents[0], spec: { nodePools: [], platform: 'openshft' } },
    { ...documents[1], spec: { ofedDrivr: {} } },
  ] as unknown as typeof documents;

  it('throws all errors at once, as text and as data', () => {
    let caught: unknown;
    try {
      resolveConfig(broken);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(InvalidConfigError);
    const { diagnostics, message, name } = caught as InvalidConfigError;
    expect(name).toBe('InvalidConfigError');
    expect(diagnostics.map(({ code, location }) => [code, location?.file])).toEqual([
      ['WEFT0143', 'Cluster/east'],
      ['WEFT0140', 'NicClusterPolicy/nic-cluster-policy'],
    ]);
    expect(message).toContain('did you mean `openshift`?');
    expect(message).toContain('did you mean `ofedDriver`?');
    expect(message).toMatch(/^2 errors$/m);
  });

  it('passes warnings to the callback, if there is one', () => {
    const [cluster] = documents;
    const section = { image: 'a', repository: 'b.c/d', version: '24.10-0.7.0.0-0' };
    const driver = documents.filter((document) => document.kind === 'NicNodePolicy').slice(0, 1);
    const lost = [
      { ...cluster, spec: { nodePools: [] } },
      ...driver.map((policy) => ({ ...policy, spec: { ofedDriver: section, nodeSelector: {} } })),
    ] as unknown as typeof documents;
    const warnings: string[] = [];
    resolveConfig(lost, (found) => warnings.push(...found.map(({ code }) => code)));
    expect(warnings).toEqual(['WEFT0238']);
    expect(() => resolveConfig(lost)).not.toThrow();
    resolveConfig(documents.slice(0, 1), () => warnings.push('none'));
    expect(warnings).toEqual(['WEFT0238']);
  });

  it('leaves the documents alone, and its result cannot be changed', () => {
    const before = JSON.stringify(documents);
    const config = resolveConfig(documents);
    expect(JSON.stringify(documents)).toBe(before);
    expect(Object.isFrozen(config) && Object.isFrozen(config.cluster.pools)).toBe(true);
  });

  it('does not freeze the documents', () => {
    const own = structuredClone(documents);
    resolveConfig(own);
    expect(own.some((document) => Object.isFrozen(document) || Object.isFrozen(document.metadata))).toBe(false);
  });

  it('has an error and no stack trace for null', () => {
    expect(() => resolveConfig([null] as never)).toThrow(InvalidConfigError);
  });

  it.each([1, 'text', [], {}])('has an error and no stack trace for %j', (document) => {
    expect(() => resolveConfig([document] as never)).toThrow(InvalidConfigError);
  });
});
