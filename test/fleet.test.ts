import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fc } from './kit/fast-check.js';
import { runsOf } from './kit/shares.js';
import { compileFolder } from '../src/cli/compile/compile.js';
import type { Compiled } from '../src/cli/compile/loaded.js';
import type { Io } from '../src/cli/io.js';
import { fleetRunFor } from '../src/cli/compile/fleet-run.js';

/** On a failure fast-check prints the seed and the smallest fleet. `WEFT_RUNS=1000 npx jest test/fleet` runs more. */
const RUNS = runsOf(4, 400);

const FULL_CLUSTER = 'bench/full-cluster';
const documents = ['policy.yaml', 'networks.yaml'].flatMap((name) =>
  readFileSync(join(FULL_CLUSTER, name), 'utf8').split(/^---\n/m),
);
const clusterText = readFileSync(join(FULL_CLUSTER, 'cluster.yaml'), 'utf8');

const WARNED =
  'apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata:\n  name: doubtful\nspec:\n  master: eth0\n  ipam: |\n    {"type": "nv-ipam", "poolName": "nowhere"}\n';

/** Documents with warnings and errors, about one document and about two. */
const doubtful = [
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\ndata:\n  key: value\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\ndata:\n  key: other\n',
  'apiVersion: v1\nkind: Service\nmetadata:\n  name: one\nspec:\n',
  WARNED,
  'apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata:\n  name: unknown\nspec:\n  mastre: eth0\n',
  'apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: nad, namespace: default}\nspec:\n  config: |\n    {"type": "macvlan",\n     "ipam": {"type": "whereabout"}}\n',
  'a: [\n',
  '# nothing\n',
];

/** Few documents, so that clusters often have the same ones. */
const few = documents.slice(0, 12);
const lists = [
  few,
  few,
  [...few].reverse(),
  few.slice(1),
  ...doubtful.map((one) => [...few, one]),
  [...few, ...doubtful],
];

interface Draft {
  readonly name: string;
  /** Lines above the Cluster document. */
  readonly comments: number;
  readonly spec: string;
  readonly documents: readonly string[];
}

const draft: fc.Arbitrary<Draft> = fc.record({
  name: fc.constantFrom('east', 'west', 'north', 'south', '../up'),
  comments: fc.integer({ min: 0, max: 3 }),
  spec: fc.constantFrom('', '  namespace: elsewhere\n'),
  documents: fc.constantFrom(...lists),
});

const textOf = ({ name, comments, spec, documents: others }: Draft): string => {
  const cluster = clusterText.replace('name: full', `name: ${name}`).replace('\nspec:\n', `\nspec:\n${spec}`);
  return ['# above\n'.repeat(comments) + cluster, ...others].join('---\n');
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-fleet-'));
});
afterAll(() => rmSync(root, { recursive: true }));

async function compileAll(
  texts: readonly string[],
  fleet: ReturnType<typeof fleetRunFor>,
): Promise<readonly Compiled[]> {
  const compiled: Compiled[] = [];
  for (const [index, text] of texts.entries()) {
    const folder = join(root, String(index));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'all.yaml'), text);
    compiled.push(
      await compileFolder(folder, { cwd: root, env: {}, readCompanionProgram: () => '' } as Partial<Io> as Io, {
        fleet,
      }),
    );
  }
  return compiled;
}

/** The visible results of a cluster. */
const seen = ({ diagnostics, result }: Compiled) => ({
  diagnostics,
  name: result?.config.cluster.name,
  objects: result?.objects,
});

it('clusters of one run have the same output and diagnostics as each alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(draft, { minLength: 2, maxLength: 6 }), async (drafts) => {
      const texts = drafts.map(textOf);
      const together = await compileAll(texts, fleetRunFor(texts));
      const alone = await compileAll(texts, undefined);
      expect(together.map(seen)).toEqual(alone.map(seen));
    }),
    RUNS,
  );
}, 600_000);

/** Documents that change one of a base, with warnings and errors. */
const changes = [
  '',
  '---\napiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: nic-cluster-policy}\nspec: {nicFeatureDiscovery: null}\n',
  '---\napiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: doubtful}\nspec: {mtu: 1500}\n',
  '---\napiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: doubtful}\n$patch: delete\n',
  '---\napiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: doubtful}\nspec: {mtuu: 1500}\n',
];

it('clusters on bases have in one run what each has alone', async () => {
  mkdirSync(join(root, 'base/low'), { recursive: true });
  mkdirSync(join(root, 'base/high'), { recursive: true });
  writeFileSync(join(root, 'base/low/all.yaml'), [...few, WARNED].join('---\n'));
  writeFileSync(
    join(root, 'base/high/all.yaml'),
    clusterText.replace('kind: Cluster', 'kind: ClusterBase').replace('\nspec:\n', '\nspec:\n  extends: [../low]\n'),
  );
  const cluster = fc.record({
    name: fc.constantFrom('east', 'west', 'north'),
    spec: fc.constantFrom('', '  namespace: elsewhere\n'),
    change: fc.constantFrom(...changes),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(cluster, { minLength: 2, maxLength: 6 }), async (drafts) => {
      const texts = drafts.map(
        ({ name, spec, change }) =>
          `apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: ${name}}\nspec:\n  extends: [../base/high]\n${spec}${change}`,
      );
      const together = await compileAll(texts, fleetRunFor(texts));
      const alone = await compileAll(texts, undefined);
      expect(together.map(seen)).toEqual(alone.map(seen));
    }),
    RUNS,
  );
}, 600_000);

it('what clusters have in common is worked out once, and the name of a cluster is nowhere in it', async () => {
  const names = ['a-name-that-is-nowhere-else', 'another-name-that-is-nowhere-else'];
  const texts = names.map((name) => textOf({ name, comments: 0, spec: '', documents: [...documents, WARNED] }));
  const [first, second] = await compileAll(texts, fleetRunFor(texts));
  expect(first?.result?.objects).toHaveLength(116);
  expect(second?.result?.objects).toBe(first?.result?.objects);
  expect(second?.result?.config.cluster.name).toBe(names[1]);
  const said = [first, second].flatMap((one) => one?.diagnostics ?? []).map(({ message, help }) => [message, help]);
  expect(said.length).toBeGreaterThan(0);
  for (const name of names) {
    expect(JSON.stringify(first?.result?.objects)).not.toContain(name);
    expect(JSON.stringify(said)).not.toContain(name);
  }
});
