import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { companionProject, UPGRADED_POLICY } from '../../../test/kit/companion-project.js';
import { runWeft } from '../../../test/kit/run-weft.js';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-left-behind-')));
  for (const name of ['east', 'west']) writeCluster(name);
});
afterEach(() => rmSync(root, { recursive: true }));

const { write, writeCluster } = companionProject(() => root);

/** Weft of a version, each of which has a program of its own. */
const weft = (version: string, ...args: readonly string[]) =>
  runWeft(args, { cwd: root, version, readCompanionProgram: () => `program of ${version}\n` });

async function synth(version: string, ...args: readonly string[]): Promise<string> {
  const { exit, stderr } = await weft(version, 'synth', ...args);
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
  return stderr;
}

/** Projects that several tests begin with. Each is made once and copied. */
const made = new Map<string, string>();
afterAll(() => {
  for (const folder of made.values()) rmSync(folder, { recursive: true });
});

async function projectOf(name: string, make: () => Promise<unknown>): Promise<void> {
  const known = made.get(name);
  if (known === undefined) {
    await make();
    const copy = mkdtempSync(join(tmpdir(), 'weft-left-behind-'));
    made.set(name, copy);
    cpSync(root, copy, { recursive: true });
  } else {
    rmSync(root, { recursive: true });
    cpSync(known, root, { recursive: true });
  }
}

/** Both clusters have the output of Weft 0.2. */
const synthBefore = () => projectOf('before', () => synth('0.2.4'));

/** All files below a folder of the project, with their texts. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}
const bases = () => readdirSync(join(root, 'dist/.companion'));

describe('a cluster for an older minor version of Weft', () => {
  it('keeps its output while others are rendered, until its document names the version that runs', async () => {
    await synthBefore();
    const [before, program] = [filesIn('dist/east'), bases()];
    writeCluster('east', '  weft: "0.2"\n');
    expect(await synth('0.3.0')).toContain('left behind on purpose at Weft 0.2, and this is Weft 0.3: east\n');
    expect(filesIn('dist/east')).toEqual(before);
    expect(bases()).toEqual(expect.arrayContaining([...program]));
    expect(bases()).toHaveLength(2);
    const check = await weft('0.3.0', 'synth', '--check', '--deny-warnings');
    expect(check).toMatchObject({ exit: 0, stderr: expect.stringContaining('left behind on purpose at Weft 0.2') });
    expect(await weft('0.3.0', 'synth', '--check', '--format', 'json')).toMatchObject({ exit: 0 });
    writeCluster('east', '  weft: "0.3"\n');
    expect(await weft('0.3.0', 'synth', '--check')).toMatchObject({ exit: 1 });
    await synth('0.3.0');
    expect(bases()).toHaveLength(1);
    expect(await weft('0.3.7', 'synth', '--check')).toMatchObject({ exit: 1 });
    expect(await synth('0.3.7')).not.toContain('left behind');
  });

  it('may have the version from a base', async () => {
    await synthBefore();
    write('base/cluster.yaml', 'apiVersion: weft.dev/v1alpha1\nkind: ClusterBase\nspec: {weft: "0.2"}\n');
    writeCluster('east', '  extends: [../../base]\n');
    expect(await synth('0.3.0')).toContain('left behind on purpose at Weft 0.2, and this is Weft 0.3: east\n');
  });

  it('is not checked: another version may know other fields', async () => {
    await synthBefore();
    writeCluster('east', '  weft: "0.2"\n  oldField: true\n');
    await synth('0.3.0');
    write('clusters/east/policy.yaml', 'a: [');
    expect(await weft('0.3.0', 'synth')).toMatchObject({ exit: 2 });
  });

  it.each([
    ['is newer', '"0.4"', 'WEFT0074'],
    ['is newer by its major version', '"1.0"', 'WEFT0074'],
    ['has a patch version', '"0.2.4"', 'without the patch version'],
    ['is a number', '0.2', '"0.2"'],
    ['is misspelt', '"0,2"', 'must be a minor version of Weft'],
  ])('is refused where the version %s', async (_, version, text) => {
    await synth('0.3.0');
    const before = filesIn('dist');
    writeCluster('east', `  weft: ${version}\n`);
    expect(await weft('0.3.0', 'synth')).toMatchObject({ exit: 2, stderr: expect.stringContaining(text) });
    expect(filesIn('dist')).toEqual(before);
  });

  const broken: Readonly<Record<string, readonly [() => void, string]>> = {
    'there is none': [() => rmSync(join(root, 'dist/east'), { recursive: true }), '`dist/east` has no output'],
    'it has no index': [() => rmSync(join(root, 'dist/east/weft.index')), '`dist/east` has no output'],
    'the index is something else': [() => write('dist/east/weft.index', 'x'), 'has an index that cannot be read'],
    'a file is missing': [() => rmSync(join(root, 'dist/east/kustomization.yaml')), 'lacks files: kustomization.yaml'],
    'the program is missing': [() => rmSync(join(root, 'dist/.companion'), { recursive: true }), 'lacks files: ../.c'],
    'a file is of others': [() => write('dist/east/mine.yaml', 'a: b\n'), 'WEFT0045'],
  };
  it.each(Object.keys(broken))('needs its output: %s', async (name) => {
    const [breakIt, text] = broken[name] ?? [() => undefined, ''];
    await synthBefore();
    writeCluster('east', '  weft: "0.2"\n');
    breakIt();
    const before = filesIn('dist/west');
    for (const args of [['--check'], []]) {
      const { exit, stderr } = await weft('0.3.0', 'synth', ...args);
      expect([exit, stderr]).toEqual([2, expect.stringContaining(text)]);
    }
    expect(filesIn('dist/west')).toEqual(before);
  });

  const edit = (path: string, change: (text: string) => string) =>
    write(path, change(readFileSync(join(root, path), 'utf8')));
  const inBase = (name: string) => join('dist/.companion', bases()[0] ?? '', name);
  const FLUX = '  gitops: {flux: {}}\n';
  const HELM = '  gitops: {helm: {}}\n';
  const index = (line: string) =>
    edit('dist/east/weft.index', (text) => {
      const [first = '', ...lines] = text.trimEnd().split('\n');
      return `${[first, ...[...lines, line].sort()].join('\n')}\n`;
    });
  const EVIL = 'apiVersion: v1\nkind: Pod\nmetadata: {name: evil}\n';
  const listedAlso = (path: string, text: string) => {
    write(`dist/east/${path}`, text);
    index(`file ${path}`);
    edit('dist/east/kustomization.yaml', (all) => `${all}  - ${path}\n`);
  };
  const namespaceFile = (folder: string) => `dist/east/${folder}/namespace.nvidia-network-operator.yaml`;
  const hidden: Readonly<Record<string, readonly [gitops: string, change: () => void, text: string]>> = {
    'a patch in a kustomization': [
      '',
      () => edit('dist/east/kustomization.yaml', (text) => `${text}patches: [{path: x.yaml}]\n`),
      '`kustomization.yaml` has more than resources',
    ],
    'an object of another repository': [
      '',
      () => edit('dist/east/kustomization.yaml', (text) => `${text}  - https://example.com/x.yaml\n`),
      'lists `https://example.com/x.yaml`, which the index does not have',
    ],
    'an object that is left out': [
      '',
      () => edit('dist/east/kustomization.yaml', (text) => text.replace(/ {2}- companion\/job.*\n/, '')),
      'no kustomization lists `companion/job.',
    ],
    'a second kustomization': [
      '',
      () => {
        write('dist/east/Kustomization', 'resources: []\n');
        index('file Kustomization');
      },
      'no kustomization lists `Kustomization`',
    ],
    'an object in a file that is not read as one': [
      '',
      () => listedAlso('namespace/evil.txt', EVIL),
      '`namespace/evil.txt` is no manifest',
    ],
    'an object without a name': [
      '',
      () => edit(namespaceFile('namespace'), (text) => `${text}---\n${EVIL.replace('name', 'generateName')}`),
      'namespace.nvidia-network-operator.yaml` is not one object',
    ],
    'a document that is no object': [
      '',
      () => listedAlso('namespace/evil.yaml', 'apiVersion: v1\n'),
      '`namespace/evil.yaml` is not one object',
    ],
    'a file for Argo CD that is not read': [
      '',
      () => {
        write('dist/east/argocd/evil', EVIL);
        index('file argocd/evil');
      },
      '`argocd/evil` is no manifest',
    ],
    'another object in a template of Helm in a comment': [
      HELM,
      () => edit(namespaceFile('base/templates'), (text) => `${text}# {{ "\\nspec: {}" }}\n`),
      'namespace.nvidia-network-operator.yaml` has a template action',
    ],
    'a template of Helm in a value': [
      HELM,
      () => edit(namespaceFile('base/templates'), (text) => `${text}spec:\n  x: '{{ .Values.x }}'\n`),
      'namespace.nvidia-network-operator.yaml` has a template action',
    ],
    'lines of the index in another order': [
      '',
      () => edit('dist/east/weft.index', (text) => text.replace(/^(driver .*\n)/m, '$1$1')),
      'has an index with lines that no version of Weft writes so',
    ],
    'another live cluster in the document': [
      '',
      () => writeCluster('east', '  weft: "0.2"\n  access: {context: west}\n'),
      'has another `access` than the document',
    ],
    'another namespace in the document': [
      '',
      () => writeCluster('east', '  weft: "0.2"\n  namespace: tenant\n'),
      'has another `namespace` than the document',
    ],
    'a patch in a kustomization of a group': [
      FLUX,
      () => edit('dist/east/companion/kustomization.yaml', (text) => `${text}namePrefix: x-\n`),
      '`companion/kustomization.yaml` has more than resources',
    ],
    'a patch of what Flux applies': [
      FLUX,
      () => edit('dist/east/flux/kustomization.yaml', (text) => `${text}namePrefix: x-\n`),
      '`flux/kustomization.yaml` has more than resources',
    ],
    'another program': [
      '',
      () =>
        edit(inBase(readdirSync(join(root, inBase(''))).find((name) => name.startsWith('configmap')) ?? ''), (text) =>
          text.replace('program of', 'evil'),
        ),
      'is not what its name says',
    ],
    'a patch of the program': [
      '',
      () => edit(inBase('kustomization.yaml'), (text) => `${text}namePrefix: x-\n`),
      'is not what its name says',
    ],
    'a chart that another one brings': [
      HELM,
      () => edit('dist/east/main/Chart.yaml', (text) => `${text}dependencies: []\n`),
      '`main/Chart.yaml` has `dependencies`',
    ],
    'a file of a chart': [
      HELM,
      () => {
        write('dist/east/main/charts/x.yaml', 'a: b\n');
        index('file main/charts/x.yaml');
      },
      '`main/charts/x.yaml` is no file of its charts',
    ],
  };
  it.each(Object.keys(hidden))('is refused with what no comparison of objects shows: %s', async (name) => {
    const [gitops, change, text] = hidden[name] ?? ['', () => undefined, ''];
    await projectOf(`left behind ${gitops}`, async () => {
      for (const one of ['east', 'west']) writeCluster(one, gitops);
      await synth('0.2.4');
      writeCluster('east', `  weft: "0.2"\n${gitops}`);
      await synth('0.3.0');
      await synth('0.3.0', '--check');
      // Only the program of the other version is left.
      rmSync(join(root, 'clusters/west'), { recursive: true });
      rmSync(join(root, 'dist/west'), { recursive: true });
      await synth('0.3.0');
    });
    change();
    const { exit, stderr } = await weft('0.3.0', 'synth', '--check');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('WEFT0073')]);
    expect(stderr).toContain(text);
  });

  it('is refused where this version wrote its output already', async () => {
    await synthBefore();
    cpSync(join(root, 'dist'), join(root, 'old'), { recursive: true });
    await synth('0.3.0');
    writeCluster('east', '  weft: "0.2"\n');
    const { exit, stderr } = await weft('0.3.0', 'synth', '--check');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('`dist/east` was written by Weft 0.3, and the cluster is for Weft 0.2'),
    ]);
    rmSync(join(root, 'dist/east'), { recursive: true });
    cpSync(join(root, 'old'), join(root, 'dist'), { recursive: true });
    rmSync(join(root, 'dist/west'), { recursive: true });
    await synth('0.3.0');
  });

  it('stays in the ApplicationSet of its fleet', async () => {
    const argocd =
      '{repoURL: "https://git.example.com/a.git", health: none, applicationSet: {name: network, generator: list}}';
    for (const name of ['east', 'west']) writeCluster(name, `  gitops: {argocd: ${argocd}}\n`);
    await synth('0.2.4');
    const before = filesIn('dist/argocd');
    expect(Object.values(before).join()).toContain('dist/east');
    writeCluster('east', `  weft: "0.2"\n  gitops: {argocd: ${argocd}}\n`);
    await synth('0.3.0');
    expect(filesIn('dist/argocd')).toEqual(before);
    writeCluster('east', '  weft: "0.2"\n  gitops: {argocd: {repository: x}}\n');
    const { exit, stderr } = await weft('0.3.0', 'synth');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('cannot read its `gitops`')]);
  });

  it.each([['images'], ['lock']])('is left out and named by a command for all clusters: weft %s', async (command) => {
    await synthBefore();
    writeCluster('east', '  weft: "0.2"\n');
    const { exit, stderr } = await weft('0.3.0', command);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('left behind on purpose at Weft 0.2')]);
  });

  it('has no other commands that render it', async () => {
    await synthBefore();
    writeCluster('east', '  weft: "0.2"\n');
    write('snapshot.json', '{"apiVersion": "v1", "kind": "List", "items": []}');
    for (const args of [
      ['synth', '-o', 'yaml', 'clusters/east'],
      ['explain', '--pools', 'clusters/east'],
      ['diff', '-', '--folder', 'clusters/east'],
      ['images', 'clusters/east'],
      ['lock', 'clusters/east'],
      ['plan', 'clusters/east', '--snapshot', 'snapshot.json'],
      ['takeover', 'clusters/east', '--dry-run'],
    ]) {
      const { exit, stderr } = await weft('0.3.0', ...args);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('npx --package weft-gitops@0.2 weft')]);
    }
  });
});

describe('weft diff of a cluster that is left behind', () => {
  beforeEach(async () => {
    await synthBefore();
    cpSync(join(root, 'dist'), join(root, 'old'), { recursive: true });
    writeCluster('east', '  weft: "0.2"\n');
    write('clusters/east/policy.yaml', UPGRADED_POLICY.replace('ofedDriver', 'nicFeatureDiscovery: {}\n  ofedDriver'));
  });

  it('says that it is, and shows nothing where its output is as it was', async () => {
    const { exit, stdout, stderr } = await weft('0.3.0', 'diff', 'old', '--format', 'json');
    expect([exit, stderr]).toEqual([1, expect.any(String)]);
    const { clusters } = JSON.parse(stdout) as { readonly clusters: readonly { readonly name: string }[] };
    expect(clusters.map(({ name }) => name)).toEqual(['west']);
    const text = await weft('0.3.0', 'diff', 'old', '--format', 'markdown');
    expect(text.stderr).toContain('left behind on purpose at Weft 0.2, and this is Weft 0.3: east\n');
  });

  it('shows what somebody changed in its output', async () => {
    const [path = ''] = readdirSync(join(root, 'dist/east/ofed-driver')).filter((name) =>
      name.startsWith('daemonset.'),
    );
    const file = `dist/east/ofed-driver/${path}`;
    write(
      file,
      readFileSync(join(root, file), 'utf8').replace(
        /image: \S+mofed\S*|image: \S+doca-driver\S*/,
        'image: evil.example.com/driver:1',
      ),
    );
    const { exit, stdout } = await weft('0.3.0', 'diff', 'old', '--folder', 'clusters/east');
    expect([exit, stdout]).toEqual([1, expect.stringContaining('evil.example.com/driver:1')]);
    expect(stdout).toContain('drain');
  });
});
