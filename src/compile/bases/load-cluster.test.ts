import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clusterText, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { isObject } from '../../shared/lib/json.js';
import { resolve } from '../config/resolve.js';
import { applyIgnores } from '../load/ignore-comments.js';
import { loadCluster } from './load-cluster.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-bases-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

const load = (folder = 'clusters/east', project = root) =>
  loadCluster(folder, { workingDirectory: root, projectFolder: () => project, programs: 'run' });

/** Each diagnostic as `place code message`, with what inherits the place. */
async function problems(folder?: string, project?: string) {
  const { diagnostics } = await load(folder, project);
  return diagnostics.map(({ code, message, location }) => {
    const place = `${location?.file}:${location?.line ?? ''}`;
    const by = (location?.inheritedBy ?? []).map((one) =>
      [one, ...(one.through ?? [])].map(({ file, line }) => `${file}:${line}`).join(' < '),
    );
    return `${[place, ...by].join(' < ')} ${code} ${message}`;
  });
}

const baseText = (spec: string) => `apiVersion: weft.dev/v1alpha1\nkind: ClusterBase\nspec:\n${spec}`;
const extending = (...folders: readonly string[]) =>
  clusterText(`  extends: [${folders.join(', ')}]\n  nodePools:\n${UBUNTU_POOL}`);
const network = (name: string, rest: string) =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: ${name}}\n${rest}`;

describe('a cluster on bases', () => {
  it('has their documents merged with its own, later folders over earlier ones', async () => {
    put({
      'base/common/all.yaml': [
        baseText('  release: v26.4\n  namespace: common\n  required: [nodePools]\n'),
        policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {upgradePolicy: {autoUpgrade: true}}\n'),
        network('a', 'spec: {mtu: 9000}\n'),
        network('b', 'spec: {mtu: 9000}\n'),
      ].join('---\n'),
      'base/h100/all.yaml': [
        baseText('  extends: [../common]\n  namespace: h100\n'),
        network('a', 'spec: {mtu: 1500}\n'),
      ].join('---\n'),
      'clusters/east/cluster.yaml': [
        extending('../../base/common', '../../base/h100'),
        network('b', '$patch: delete\n'),
      ].join('---\n'),
    });
    const { documents, diagnostics } = await load();
    expect(diagnostics).toEqual([]);
    expect(documents.map(({ value }) => value)).toEqual([
      {
        apiVersion: 'weft.dev/v1alpha1',
        kind: 'Cluster',
        metadata: { name: 'east' },
        spec: { release: 'v26.4', namespace: 'h100', nodePools: [expect.objectContaining({ name: 'workers' })] },
      },
      expect.objectContaining({ kind: 'NicClusterPolicy' }),
      expect.objectContaining({ metadata: { name: 'a' }, spec: { mtu: 1500 } }),
    ]);
    const [cluster] = documents;
    expect(cluster?.locate(['spec', 'namespace'])).toMatchObject({
      file: 'base/h100/all.yaml',
      line: 5,
      inheritedBy: [{ file: 'clusters/east/cluster.yaml', line: 6, column: 32 }],
    });
    const place = cluster?.locate(['spec', 'nodePools']);
    expect(place).toMatchObject({ file: 'clusters/east/cluster.yaml', line: 8, column: 5 });
    expect(place).not.toHaveProperty('inheritedBy');
  });

  it('may be a program', async () => {
    const document = {
      apiVersion: 'weft.dev/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'east' },
      spec: { extends: ['../../base'] },
    };
    put({
      'base/base.yaml': baseText(`  nodePools:\n${UBUNTU_POOL}`),
      'clusters/east/cluster.ts': `export const cluster = ${JSON.stringify(document)};\n`,
    });
    const { config, diagnostics } = resolve(await load());
    expect(diagnostics.map(({ code }) => code)).toEqual([]);
    expect(config?.cluster.pools.map(({ name }) => name)).toEqual(['workers']);
  });

  it('has two documents where its folder has them, and says so', async () => {
    put({
      'base/base.yaml': network('a', 'spec: {mtu: 1500}\n'),
      'clusters/east/cluster.yaml': [
        extending('../../base'),
        network('a', 'spec: {}\n'),
        network('a', 'spec: {}\n'),
      ].join('---\n'),
    });
    const { diagnostics } = resolve(await load());
    expect(diagnostics.map(({ code }) => code)).toContain('WEFT0102');
  });

  it('has diagnostics at the place in the base, and comments there silence them', async () => {
    const policy = policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver:\n    versoin: "1"\n');
    const unknown = network(
      'a',
      'spec:\n  networkNamespace: default\n  master: eth0\n  # weft-ignore WEFT0263: elsewhere\n  ipam: {type: nv-ipam, poolName: p}\n',
    );
    put({
      'base/common/all.yaml': `${policy}---\n${unknown}`,
      'base/h100/all.yaml': baseText('  extends: [../common]\n  release: v26.4\n'),
      'clusters/east/cluster.yaml': extending('../../base/h100'),
    });
    const loaded = await load();
    const found = applyIgnores(loaded.ignores ?? [], resolve(loaded).diagnostics);
    expect(found.filter(({ code }) => code === 'WEFT0140').map(({ location }) => location)).toMatchObject([
      {
        file: 'base/common/all.yaml',
        line: 7,
        inheritedBy: [
          {
            file: 'clusters/east/cluster.yaml',
            line: 6,
            through: [{ file: 'base/h100/all.yaml', line: 4, column: 13 }],
          },
        ],
      },
    ]);
    expect(found.map(({ code }) => code)).not.toContain('WEFT0263');
    expect(found.map(({ code }) => code)).not.toContain('WEFT0033');
  });

  it('reads a base that two others extend once, where it is first', async () => {
    put({
      'base/common/a.yaml': baseText('  release: v26.4\n  namespace: common\n'),
      'base/x/a.yaml': baseText('  extends: [../common]\n  namespace: x\n'),
      'base/y/a.yaml': baseText('  extends: [../common]\n'),
      'clusters/east/cluster.yaml': extending('../../base/x', '../../base/y'),
    });
    const [cluster] = (await load()).documents;
    expect(isObject(cluster?.value) && cluster.value['spec']).toMatchObject({ namespace: 'x' });
  });
});

describe('what cannot be extended', () => {
  const own = 'clusters/east/cluster.yaml:6';
  const cases: { name: string; files: Record<string, string>; expected: string[] }[] = [
    {
      name: 'a folder that is not there',
      files: { 'base/common/a.yaml': baseText('  {}\n'), 'clusters/east/cluster.yaml': extending('../../base/comon') },
      expected: [`${own} WEFT0020 the base \`../../base/comon\` cannot be read: it does not exist`],
    },
    {
      name: 'a folder without documents',
      files: { 'base/README.md': '', 'clusters/east/cluster.yaml': extending('../../base') },
      expected: [`${own} WEFT0020 the base \`../../base\` holds no documents`],
    },
    {
      name: 'a folder outside of the project, or by an absolute path',
      files: { 'clusters/east/cluster.yaml': extending('../../../other', '/etc') },
      expected: [
        `${own} WEFT0046 the base \`../../../other\` lies outside of the project \`.\``,
        `${own} WEFT0046 the base \`/etc\` is an absolute path`,
      ],
    },
    {
      name: 'itself',
      files: { 'clusters/east/cluster.yaml': extending('.') },
      expected: [`${own} WEFT0047 bases extend each other in a circle: \`clusters/east\` extends \`clusters/east\``],
    },
    {
      name: 'bases in a circle',
      files: {
        'base/a/a.yaml': baseText('  extends: [../b]\n'),
        'base/b/b.yaml': baseText('  extends: [../a]\n'),
        'clusters/east/cluster.yaml': extending('../../base/a'),
      },
      expected: [
        `base/b/b.yaml:4 < ${own} < base/a/a.yaml:4 WEFT0047 bases extend each other in a circle: \`base/a\` extends \`base/b\` extends \`base/a\``,
      ],
    },
    {
      name: 'a folder of a cluster',
      files: {
        'clusters/west/a.yaml': clusterText(`  nodePools: []\n`),
        'clusters/east/cluster.yaml': extending('../west'),
      },
      expected: [`clusters/west/a.yaml:2 < ${own} WEFT0108 a Cluster document is in a folder that clusters extend`],
    },
    {
      name: 'what is no list of folders',
      files: { 'clusters/east/cluster.yaml': extending('1'), 'base/a.yaml': baseText('  extends: ../a\n') },
      expected: [`${own} WEFT0142 \`spec.extends\` must be a list of folders`],
    },
    {
      name: 'a base with an error',
      files: {
        'base/a.yaml': `${baseText('  required: [nodePool]\n')}---\na: [\n`,
        'clusters/east/cluster.yaml': extending('../../base'),
      },
      expected: [
        `base/a.yaml:6 < ${own} WEFT0001 not valid YAML: a \`[\` is not closed before this place`,
        `base/a.yaml:4 < ${own} WEFT0143 \`spec.required\` names \`nodePool\`, which is no key of \`spec\``,
      ],
    },
    {
      name: 'a base that requires more than the cluster has',
      files: {
        'base/a.yaml': baseText('  required: [nodePools, kubernetesVersion]\n'),
        'clusters/east/cluster.yaml': extending('../../base'),
      },
      expected: [`${own} WEFT0109 \`spec.kubernetesVersion\` is missing, which a base requires of each cluster`],
    },
    {
      name: 'documents and entries that no base has',
      files: {
        'base/a.yaml': baseText(`  nodePools:\n${UBUNTU_POOL}`),
        'clusters/east/cluster.yaml': [
          clusterText('  extends: [../../base]\n  nodePools:\n    - {name: other, $patch: delete}\n'),
          network('a', '$patch: delete\n'),
          network('b', '$patch: merge\n'),
          network('c', '$patch: delete\nspec: {}\n'),
        ].join('---\n'),
      },
      expected: [
        'clusters/east/cluster.yaml:13 WEFT0110 no folder that is extended has a document of this kind, namespace and name, so there is nothing to remove',
        'clusters/east/cluster.yaml:18 WEFT0110 `$patch` of a document must be `delete`',
        'clusters/east/cluster.yaml:24 WEFT0110 `spec` has no effect in a document that removes another',
        'clusters/east/cluster.yaml:8 WEFT0110 no folder that is extended has an entry of this name, so there is nothing to remove',
      ],
    },
    {
      name: 'anything for a cluster that extends nothing',
      files: {
        'clusters/east/cluster.yaml': `${clusterText('  nodePools: []\n')}---\n${network('a', '$patch: delete\n')}`,
      },
      expected: [
        'clusters/east/cluster.yaml:11 WEFT0110 no folder that is extended has a document of this kind, namespace and name, so there is nothing to remove',
      ],
    },
  ];
  it.each(cases)('$name', async ({ files, expected }) => {
    put(files);
    expect(await problems()).toEqual(expected);
  });

  it('a symbolic link, and a folder that one leads to', async () => {
    put({ 'elsewhere/a.yaml': baseText('  {}\n'), 'clusters/east/cluster.yaml': extending('../../base') });
    symlinkSync('elsewhere', join(root, 'base'));
    expect(await problems()).toEqual([
      'base: < clusters/east/cluster.yaml:6 WEFT0044 this is a symbolic link, and Weft follows none in its input and output',
    ]);
  });

  it('too many documents together', async () => {
    const many = (from: number) =>
      Array.from({ length: 800 }, (_, at) => `apiVersion: v1\nkind: Service\nmetadata: {name: s${from + at}}\n`).join(
        '---\n',
      );
    put({
      'base/a/a.yaml': many(0),
      'base/b/a.yaml': many(1000),
      'clusters/east/cluster.yaml': extending('../../base/a', '../../base/b'),
    });
    expect((await problems()).map((one) => one.slice(0, 70))).toEqual([
      'clusters/east/cluster.yaml:6 WEFT0029 the folder holds more than 1500 ',
    ]);
  });

  it('a required key that is misspelt, which the help names', async () => {
    put({
      'base/a.yaml': baseText('  required: [nodePools]\n'),
      'clusters/east/cluster.yaml': extending('../../base').replace('nodePools', 'nodePool'),
    });
    expect((await load()).diagnostics.map(({ help }) => help)).toEqual([
      'write `nodePools` in the place of `nodePool`',
    ]);
  });

  it('a misspelt ClusterBase, which is asked about', async () => {
    put({ 'clusters/east/a.yaml': baseText('  release: v26.4\n').replace('ClusterBase', 'ClusterBas') });
    expect(resolve(await load()).diagnostics.map(({ help }) => help)).toEqual(['did you mean `ClusterBase`?']);
  });

  it('a ClusterBase in the place of a Cluster', async () => {
    put({ 'clusters/east/a.yaml': baseText('  release: v26.4\n') });
    const { diagnostics } = resolve(await load());
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'WEFT0108 a ClusterBase is in the folder of a cluster',
    ]);
  });
});
