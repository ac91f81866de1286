import { describe, expect, it } from '@jest/globals';
import { fc } from '../kit/fast-check.js';
import { runsOf } from '../kit/shares.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { clusterText, policyText, type Files } from '../golden/compile.js';
import { diffOf, sideOf } from './sides.js';

/**
 * Pairs of configurations: the pools that `weft diff` names are exactly those whose install digest, DaemonSet or coverage
 * differs. The oracle compiles both sides and checks for each rendered DaemonSet whether a node of each pool would get it, which
 * the diff does not do.
 */

interface PoolInput {
  readonly name: string;
  readonly kernels: readonly string[];
  readonly osVersion: string;
  readonly arch: string;
  readonly isTainted: boolean;
}

interface Input {
  readonly pools: readonly PoolInput[];
  /** `-`: no driver. */
  readonly version: string;
  readonly isTolerant: boolean;
  readonly isAutomatic: boolean;
  readonly nodePolicies: readonly { readonly name: string; readonly pool: string; readonly version: string }[];
  readonly initImage: string;
}

const NAMES = ['a', 'b', 'c'];
const VERSIONS = ['25.10-1.2.8.0-2', '25.07-0.9.7.0-0'];

const poolOf = (name: string): fc.Arbitrary<PoolInput> =>
  fc.record({
    name: fc.constant(name),
    // Each pool has its own kernels, so that names of DaemonSets of two architectures do not collide.
    kernels: fc.subarray([1, 2, 3].map((number) => `${number}.0-${name}`)),
    osVersion: fc.constantFrom('22.04', '24.04'),
    arch: fc.constantFrom('amd64', 'arm64'),
    isTainted: fc.boolean(),
  });

const inputs: fc.Arbitrary<Input> = fc.record({
  pools: fc
    .subarray(NAMES, { minLength: 1 })
    .chain((names) => fc.tuple(...names.map(poolOf)))
    // A pool without kernels is for all nodes of its system, which no other pool may have then.
    .map((pools) =>
      pools.map((one) => (one.kernels.length > 0 ? one : { ...one, osVersion: `9.${NAMES.indexOf(one.name)}` })),
    ),
  version: fc.constantFrom('-', ...VERSIONS),
  isTolerant: fc.boolean(),
  isAutomatic: fc.boolean(),
  nodePolicies: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('p', 'q'),
      pool: fc.constantFrom(...NAMES),
      version: fc.constantFrom(...VERSIONS),
    }),
    { selector: ({ pool }) => pool, maxLength: 2 },
  ),
  initImage: fc.constantFrom('r.example/init:1', 'r.example/init:2'),
});

function filesOf(input: Input): Files {
  const section = (version: string) =>
    `  ofedDriver: {version: ${version}, upgradePolicy: {autoUpgrade: ${input.isAutomatic}}}\n` +
    (input.isTolerant ? '  tolerations: [{key: t, operator: Exists}]\n' : '');
  const pools = input.pools.map(({ name, kernels, osVersion, arch, isTainted }) => {
    const more = [
      ...(kernels.length > 0 ? [`kernels: [${kernels.map((kernel) => `"${kernel}"`).join(', ')}]`] : []),
      ...(isTainted ? ['taints: [{key: t, effect: NoSchedule}]'] : []),
    ];
    const fields = [`name: ${name}`, 'osName: ubuntu', `osVersion: "${osVersion}"`, `arch: ${arch}`, ...more];
    return `    - {${[...fields, `labels: {pool: ${name}}`].join(', ')}}\n`;
  });
  const driver = `  driver: {initContainerImage: "${input.initImage}"}\n`;
  const unique = [...new Map(input.nodePolicies.map((one) => [one.name, one])).values()];
  return {
    'cluster.yaml': clusterText(`  release: v26.4\n  nodePools:\n${pools.join('')}${driver}`),
    'policy.yaml': policyText(
      'NicClusterPolicy',
      'nic-cluster-policy',
      input.version === '-' ? '  nicFeatureDiscovery: {}\n' : section(input.version),
    ),
    ...Object.fromEntries(
      (input.version === '-' ? unique : []).map(({ name, pool, version }) => [
        `${name}.yaml`,
        policyText('NicNodePolicy', name, `  nodeSelector: {pool: ${pool}}\n${section(version)}`),
      ]),
    ),
  };
}

const NFD = 'feature.node.kubernetes.io';

interface PodSpec {
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly { readonly key: string }[];
}

/** Kernels of a pool, each with the DaemonSets that a node with it would get and their digests. */
function oracle(input: Input, objects: readonly KubernetesObject[]): ReadonlyMap<string, string> {
  const drivers = objects.filter(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name.startsWith('mofed-'));
  return new Map(
    input.pools.map(({ name, kernels, osVersion, arch, isTainted }) => {
      const rows = (kernels.length > 0 ? kernels : ['']).flatMap((kernel) => {
        const node: Record<string, string> = {
          [`${NFD}/pci-15b3.present`]: 'true',
          [`${NFD}/system-os_release.ID`]: 'ubuntu',
          [`${NFD}/system-os_release.VERSION_ID`]: osVersion,
          [`${NFD}/kernel-version.full`]: kernel,
          'kubernetes.io/arch': arch,
          pool: name,
        };
        const here = drivers.filter((daemonSet) => {
          const { nodeSelector, tolerations } = (daemonSet['spec'] as { template: { spec: PodSpec } }).template.spec;
          const isSelected = Object.entries(nodeSelector).every(([key, value]) => node[key] === value);
          return isSelected && (!isTainted || tolerations.some(({ key }) => key === 't'));
        });
        return here.map(
          ({ metadata }) => `${kernel} ${metadata.name} ${metadata.annotations?.['weft.dev/install-digest'] ?? ''}`,
        );
      });
      return [name, rows.sort().join('\n')] as const;
    }),
  );
}

describe('the pools that a diff names', () => {
  it('are those whose driver differs, as the compiled objects have it', () => {
    fc.assert(
      fc.property(inputs, inputs, (old, next) => {
        const [from, to] = [filesOf(old), filesOf(next)];
        const [before, after] = [oracle(old, sideOf(from).objects), oracle(next, sideOf(to).objects)];
        const expected = NAMES.filter((name) => (before.get(name) ?? '') !== (after.get(name) ?? ''));
        const diff = diffOf(from, to);
        expect(diff.pools.map(({ pool }) => pool)).toEqual(expected);
        // Objects name only pools of this list. A driver that may leave nodes which no pool describes names all that had one.
        const withDriver = NAMES.filter((name) => (before.get(name) ?? '') !== '');
        const isNamed = ({ impact, pools }: (typeof diff.objects)[number]) =>
          pools.every((name) => expected.includes(name)) ||
          (impact === 'driver-loss' && pools.every((name) => withDriver.includes(name)));
        expect(diff.objects.filter((object) => !isNamed(object))).toEqual([]);
      }),
      runsOf(20, 200),
    );
  });
});
