import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { buildCommand } from '../scripts/build.js';
import { allComponents } from '../src/components/registry.js';
import { kustomization } from '../src/render/kustomization.js';
import { toJson } from '../src/render/json.js';
import { layout, type Placed } from '../src/render/layout.js';
import { compile, type CompiledFiles, type Files } from './golden/compile.js';

/** On a failure fast-check prints the seed and the smallest input. */
const RUNS = { numRuns: 60 };

type Data = Readonly<Record<string, unknown>>;

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    'yes',
    '0170',
    '1_0',
    '12:30',
    '~',
    '',
    ' x ',
    'a: b',
    '# c',
    '"',
    "'",
    '{{ x }}',
    'a\n b\n',
    '\t',
    '=',
    '1e3',
  ),
);
const count = fc.integer({ min: 0, max: 9000 });

/** Some of the keys of a record of arbitraries. */
const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Data> =>
  fc.record(fields, { requiredKeys: [] });

const env = fc
  .uniqueArray(some({ value: text }), { maxLength: 3 })
  .map((list) => list.map((entry, index) => ({ name: `VARIABLE_${index}`, ...entry })));

const section = {
  ofedDriver: some({
    env,
    terminationGracePeriodSeconds: count,
    imagePullSecrets: fc.uniqueArray(fc.constantFrom('one', 'two', 'three')),
    certConfig: fc.constant({ name: 'corp-ca' }),
    upgradePolicy: some({
      autoUpgrade: fc.boolean(),
      maxParallelUpgrades: count,
      drain: some({ force: fc.boolean() }),
    }),
    containerResources: fc.constant([{ name: 'mofed-container', limits: { cpu: '0.5', memory: '1024Mi' } }]),
  }).map((spec) => ({ version: '24.10-0.7.0.0-0', ...spec })),
  rdmaSharedDevicePlugin: some({
    useCdi: fc.boolean(),
    config: fc.constantFrom(
      { configList: [{ resourceName: 'a', rdmaHcaMax: 1, selectors: { vendors: ['15b3'], drivers: ['mlx5_core'] } }] },
      '{"configList": [{"resourceName": "a", "rdmaHcaMax": 1, "devices": ["it\'s"]}]}',
    ),
  }),
};

const pool = some({
  kernels: fc.uniqueArray(fc.constantFrom('6.8.0-31-generic', '6.8.0-45-generic', '5.14.0'), { minLength: 1 }),
  taints: fc.constant([{ key: 'dedicated', value: 'hpc', effect: 'NoSchedule' }]),
  containerRuntime: fc.constantFrom('containerd', 'cri-o'),
}).chain((more) =>
  fc
    .record({
      osName: fc.constantFrom('ubuntu', 'rhel', 'sles'),
      arch: fc.constantFrom('amd64', 'arm64'),
    })
    .map((system) => ({ ...system, ...more })),
);

const pools = fc.array(pool, { minLength: 1, maxLength: 4 }).map((list) =>
  list.map((one, index) => ({
    name: `pool-${index}`,
    // Pools of a version each do not overlap; every other pair shares one, so that some collide.
    osVersion: `${20 + (index >> 1)}.04`,
    labels: { pool: `pool-${index}` },
    ...one,
  })),
);

function cluster(nodePools: readonly unknown[], gate: string, namespace: string): Data {
  return {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'east' },
    spec: {
      release: 'v26.7',
      namespace,
      driver: { gate },
      nodePools,
      existingConfigMaps: [{ name: 'corp-ca', keys: ['b', 'a'] }],
    },
  };
}

const mellanox = (kind: string, name: string, spec: unknown): Data => ({
  apiVersion: 'mellanox.com/v1alpha1',
  kind,
  metadata: { name },
  spec,
});

const tolerations = [{ key: 'dedicated', operator: 'Exists' }];

function policies(count_: number): fc.Arbitrary<readonly Data[]> {
  const clusterPolicy = some({ ...section, tolerations: fc.constant(tolerations) });
  const nodePolicies = fc.array(some(section), { minLength: count_, maxLength: count_ });
  return fc.oneof(
    clusterPolicy.map((spec) => [mellanox('NicClusterPolicy', 'nic-cluster-policy', spec)]),
    nodePolicies.map((specs) =>
      specs.map((spec, index) =>
        mellanox('NicNodePolicy', `policy-${index}`, { nodeSelector: { pool: `pool-${index}` }, tolerations, ...spec }),
      ),
    ),
  );
}

const network = fc
  .record({
    kind: fc.constantFrom('MacvlanNetwork', 'IPoIBNetwork'),
    ipam: fc.constantFrom<unknown>({ type: 'nv-ipam', poolName: 'p' }, '{"type": "dhcp"}', {
      type: 'other',
      a: [1, 'x'],
    }),
    namespace: fc.constantFrom('default', 'apps'),
  })
  .map(({ kind, ipam, namespace }) => [kind, { networkNamespace: namespace, ipam }] as const);

const configMap = text.map((value): Data => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings' },
  data: { key: value, other: 'x' },
}));

const input: fc.Arbitrary<readonly Data[]> = fc
  .record({
    nodePools: pools,
    gate: fc.constantFrom('label', 'ready-file'),
    namespace: fc.constantFrom('network', 'drivers'),
  })
  .chain(({ nodePools, gate, namespace }) =>
    fc
      .tuple(policies(nodePools.length), fc.array(network, { maxLength: 3 }), fc.array(configMap, { maxLength: 1 }))
      .map(([policyList, networks, maps]) => [
        cluster(nodePools, gate, namespace),
        ...policyList,
        ...networks.map(([kind, spec], index) => mellanox(kind, `net-${index}`, spec)),
        ...maps,
      ]),
  );

/** The same data with the keys of every mapping in another order, from a list of numbers. */
function withKeysPermuted(value: unknown, numbers: readonly number[]): unknown {
  if (Array.isArray(value)) return value.map((inner) => withKeysPermuted(inner, numbers));
  if (value === null || typeof value !== 'object') return value;
  const weight = (index: number) => numbers[index % numbers.length] ?? 0;
  const entries = Object.entries(value as Data).map(([key, inner], index) => ({ key, inner, at: weight(index) }));
  entries.sort((a, b) => a.at - b.at);
  return Object.fromEntries(entries.map(({ key, inner }) => [key, withKeysPermuted(inner, numbers)]));
}

const yamlText = (value: unknown): string => stringify(value, { version: '1.1' });
const filesOf = (documents: readonly unknown[]): Files => ({ 'all.yaml': documents.map(yamlText).join('---\n') });

interface Rendered {
  readonly compiled: CompiledFiles;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly list: string;
}

/** What a run would write and print; undefined where the input has errors. */
function render(files: Files): Rendered | undefined {
  const compiled = compile(files);
  if (!compiled.config || compiled.diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const placed = compiled.placed as readonly Placed[];
  const written = layout(placed);
  const list = toJson(placed.map(({ object }) => object));
  return { compiled, files: [...written, kustomization(written.map(({ path }) => path))], list };
}

describe('for all inputs', () => {
  it('most are accepted, or the other properties would say nothing', () => {
    const accepted = fc.sample(input, { numRuns: 60, seed: 7 }).filter((documents) => render(filesOf(documents)));
    expect(accepted.length).toBeGreaterThan(30);
  });

  it('the bytes do not depend on the order of documents, keys and files', () => {
    const order = fc.array(fc.nat(), { minLength: 5, maxLength: 9 });
    fc.assert(
      fc.property(input, order, (documents, numbers) => {
        const names = documents.map((_document, index) => `file-${numbers[index % numbers.length] ?? 0}-${index}.yaml`);
        const shuffled = documents
          .map((document, index) => [names[index] ?? '', yamlText(withKeysPermuted(document, numbers))] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1));
        const one = render(filesOf(documents));
        const other = render(Object.fromEntries(shuffled));
        expect(other?.files).toEqual(one?.files);
        expect(other?.list).toBe(one?.list);
      }),
      RUNS,
    );
  });

  it('no two objects share an identity, and no two files a path', () => {
    fc.assert(
      fc.property(input, (documents) => {
        const rendered = render(filesOf(documents));
        if (!rendered) return;
        const identities = rendered.compiled.placed.map(({ object: { apiVersion, kind, metadata } }) =>
          [apiVersion.replace(/\/.*/, ''), kind, metadata.namespace ?? '', metadata.name].join(' '),
        );
        expect(new Set(identities).size).toBe(identities.length);
        const paths = rendered.files.map(({ path }) => path.toLowerCase());
        expect(new Set(paths).size).toBe(paths.length);
      }),
      RUNS,
    );
  });

  it('a section that is removed leaves no object behind, and no other object changes', () => {
    fc.assert(
      fc.property(input, fc.constantFrom('ofed-driver', 'rdma-shared-device-plugin'), (documents, id) => {
        const key = allComponents.find((component) => component.id === id)?.source.path[0] ?? '';
        const without = documents.map((document) => {
          const spec = document['spec'] as Data | undefined;
          return spec
            ? { ...document, spec: Object.fromEntries(Object.entries(spec).filter(([name]) => name !== key)) }
            : document;
        });
        const after = render(filesOf(without));
        expect(after?.compiled.placed.filter(({ folder }) => folder === id) ?? []).toEqual([]);
        const before = render(filesOf(documents));
        // Without a driver nothing waits for it, which is a change of the gated pods.
        if (!before || !after || id === 'ofed-driver') return;
        const others = ({ files }: Rendered) => files.filter(({ path }) => path.includes('/') && !path.startsWith(id));
        expect(others(after)).toEqual(others(before));
      }),
      RUNS,
    );
  });

  it('YAML 1.1 and YAML 1.2 read back what was built', () => {
    fc.assert(
      fc.property(input, (documents) => {
        for (const { object } of render(filesOf(documents))?.compiled.placed ?? []) {
          const [file] = layout([{ folder: 'x', object } as Placed]);
          const data = JSON.parse(JSON.stringify(object)) as unknown;
          expect(parse(file?.text ?? '', { version: '1.1' })).toEqual(data);
          expect(parse(file?.text ?? '', { version: '1.2' })).toEqual(data);
        }
      }),
      RUNS,
    );
  });

  it('driver pods of a node pool are selected by one DaemonSet at most', () => {
    fc.assert(
      fc.property(input, (documents) => {
        const rendered = render(filesOf(documents));
        const selectors = (rendered?.compiled.placed ?? [])
          .filter(({ folder, object }) => folder === 'ofed-driver' && object.kind === 'DaemonSet')
          .map(
            ({ object }) =>
              (object['spec'] as { template: { spec: { nodeSelector: Data } } }).template.spec.nodeSelector,
          );
        for (const { labels } of rendered?.compiled.config?.cluster.pools ?? []) {
          const matching = selectors.filter((selector) =>
            Object.entries(selector).every(([key, value]) => labels[key] === value),
          );
          expect(matching.length).toBeLessThan(2);
        }
      }),
      RUNS,
    );
  });

  it('what is accepted is built, and what is not has an error with a place', () => {
    const broken = fc.tuple(
      input,
      fc.nat(),
      fc.oneof(text, count, fc.constant(null), fc.constant([]), fc.constant({})),
    );
    fc.assert(
      fc.property(broken, ([documents, at, value]) => {
        // One leaf of one document is replaced by something else.
        const index = at % documents.length;
        const damaged = documents.map((document, i) => (i === index ? replaceLeaf(document, at, value) : document));
        const { config, diagnostics } = compile(filesOf(damaged));
        const errors = diagnostics.filter(({ severity }) => severity === 'error');
        expect(config === undefined ? errors.length > 0 : true).toBe(true);
        for (const { location } of errors) expect(location?.line).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});

/** The `at`-th leaf or empty collection of some data, counted round and round, replaced. */
function replaceLeaf(data: unknown, at: number, by: unknown): unknown {
  let left = at % Math.max(1, leaves(data));
  const walk = (value: unknown): unknown => {
    if (value !== null && typeof value === 'object' && Object.keys(value).length > 0) {
      if (Array.isArray(value)) return value.map(walk);
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
    }
    left -= 1;
    return left === -1 ? by : value;
  };
  return walk(data);
}

function leaves(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + leaves(inner), 0);
}

describe('on any machine', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-properties-'));
    await buildCommand(join(folder, 'weft.cjs'));
  }, 60_000);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('the bytes are the same, whatever the locale and the time zone', () => {
    const environments = [
      { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
      { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      { TZ: 'America/St_Johns', LANG: 'sv_SE.UTF-8', LC_ALL: 'sv_SE.UTF-8', LC_COLLATE: 'sv_SE.UTF-8' },
    ];
    const outputs = environments.map((env) =>
      execFileSync(process.execPath, [join(folder, 'weft.cjs'), 'synth', '-o', 'yaml', 'clusters/quickstart'], {
        cwd: join(__dirname, '..'),
        env: { PATH: process.env['PATH'], ...env },
        encoding: 'utf8',
        stdio: 'pipe',
      }),
    );
    expect(outputs[0]).toContain('kind: DaemonSet');
    expect(new Set(outputs).size).toBe(1);
  }, 60_000);
});
