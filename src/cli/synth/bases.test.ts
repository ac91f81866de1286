import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { companionProject } from '../../../test/kit/companion-project.js';
import { runWeft } from '../../../test/kit/run-weft.js';

let root: string;
let program: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-bases-')));
  program = 'first program\n';
  for (const name of ['east', 'west']) writeCluster(name);
});
afterEach(() => rmSync(root, { recursive: true }));

const { write, writeCluster } = companionProject(() => root);

const weft = (...args: readonly string[]) => runWeft(args, { cwd: root, readCompanionProgram: () => program });

async function synth(...args: readonly string[]): Promise<void> {
  const { exit, stderr } = await weft('synth', ...args);
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
}

const bases = () => (existsSync(join(root, 'dist/.companion')) ? readdirSync(join(root, 'dist/.companion')) : []);
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** The objects that a kustomization lists, as kustomize finds them. */
function listed(folder: string): readonly { readonly kind: string; readonly metadata: { readonly name: string } }[] {
  const { resources } = parse(textOf(`${folder}/kustomization.yaml`)) as { readonly resources: readonly string[] };
  return resources.flatMap((path) =>
    path.endsWith('.yaml') ? [parse(textOf(join(folder, path))) as never] : listed(join(folder, path)),
  );
}
const programOf = (cluster: string) =>
  listed(`dist/${cluster}`).filter(({ metadata: { name } }) => name.startsWith('weft-companion-program-'));

describe('the program of the companion', () => {
  it('lies once beside the folders of all clusters, whose kustomizations list it', async () => {
    await synth();
    const [base = '', ...others] = bases();
    expect(others).toEqual([]);
    const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.yaml') && textOf(join('dist', path)).includes('first program'),
    );
    expect(files).toEqual([expect.stringMatching(`^.companion/${base}/configmap.weft-companion-program-`)]);
    for (const name of ['east', 'west']) {
      expect(programOf(name)).toHaveLength(1);
      expect(textOf(`dist/${name}/weft.index`)).toContain(`\nbase .companion/${base}\n`);
    }
    expect(await weft('synth', '--check', '--deny-warnings')).toMatchObject({ exit: 0 });
    expect((await weft('synth')).stderr).not.toMatch(/[1-9] (?:added|changed|removed)/);
  });

  it('has another folder in another namespace', async () => {
    writeCluster('west', '  namespace: drivers\n');
    await synth();
    expect(bases()).toHaveLength(2);
    expect(programOf('west')).toMatchObject([{ metadata: { namespace: 'drivers' } }]);
  });

  it('of an older version stays until no output lists it', async () => {
    await synth();
    const before = bases();
    program = 'second program\n';
    await synth('clusters/east');
    expect(bases()).toEqual(expect.arrayContaining([...before]));
    expect(bases()).toHaveLength(2);
    expect([programOf('east')[0], programOf('west')[0]]).toMatchObject([
      { data: { program: 'second program\n' } },
      { data: { program: 'first program\n' } },
    ]);
    expect(await weft('synth', '--check', 'clusters/east')).toMatchObject({ exit: 0 });
    await synth('clusters/west');
    expect(bases()).toHaveLength(1);
    expect(bases()).not.toEqual(before);
    expect(await weft('synth', '--check', '--deny-warnings')).toMatchObject({ exit: 0 });
  });

  it('stays for the folder of a cluster that is gone, and is removed after it', async () => {
    await synth();
    program = 'second program\n';
    rmSync(join(root, 'clusters/west'), { recursive: true });
    const { stderr } = await weft('synth');
    expect(stderr).toContain('dist/west');
    expect(bases()).toHaveLength(2);
    expect(programOf('west')).toHaveLength(1);
    rmSync(join(root, 'dist/west'), { recursive: true });
    expect(await weft('synth', '--check')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('no longer rendered'),
    });
    await synth();
    expect(bases()).toHaveLength(1);
  });

  it('is not removed where the index of another folder cannot be read', async () => {
    await synth();
    program = 'second program\n';
    write('dist/west/weft.index', 'something else\n');
    await synth('clusters/east');
    expect(bases()).toHaveLength(2);
  });

  it('is written again where it was edited, and a check finds what else is there', async () => {
    await synth();
    const folder = `dist/.companion/${bases()[0] ?? ''}`;
    const [file = ''] = readdirSync(join(root, folder)).filter((name) => name.startsWith('configmap.'));
    const text = textOf(`${folder}/${file}`);
    write(`${folder}/${file}`, text.replace('first', 'another'));
    expect(await weft('synth', '--check')).toMatchObject({ exit: 1, stderr: expect.stringContaining(`~ ${file}`) });
    await synth();
    expect(textOf(`${folder}/${file}`)).toBe(text);
    for (const path of ['dist/.companion/x/kustomization.yaml', `${folder}/x.yaml`]) {
      write(path, 'kind: Kustomization\n');
      const { exit, stderr } = await weft('synth', '--check');
      expect([exit, stderr]).toEqual([2, expect.stringContaining('WEFT0045')]);
      rmSync(path.startsWith(folder) ? join(root, path) : join(root, dirname(path)), { recursive: true });
    }
  });

  it('is not written through a link', async () => {
    mkdirSync(join(root, 'dist'));
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(root, 'dist/.companion'));
    expect(await weft('synth')).toMatchObject({ exit: 2 });
    expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
  });

  it('is in the charts themselves, and beside them for no one', async () => {
    await synth('--layout', 'helm');
    expect(bases()).toEqual([]);
    const templates = readdirSync(join(root, 'dist/east/main/templates/companion'));
    expect(templates.join()).toContain('configmap.weft-companion-program-');
  });
});

describe('weft diff', () => {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });

  /** The output as it was when each cluster had the program in its own folder. */
  function moveIntoClusters(): void {
    const [base = ''] = bases();
    const folder = `dist/.companion/${base}`;
    const [file = ''] = readdirSync(join(root, folder)).filter((name) => name.startsWith('configmap.'));
    const text = textOf(`${folder}/${file}`).split('\n').slice(1).join('\n');
    for (const name of ['east', 'west']) {
      const path = `companion/${file}`;
      write(`dist/${name}/${path}`, `# Made by weft synth from clusters/${name}, do not edit: ${path}\n${text}`);
      const index = textOf(`dist/${name}/weft.index`).split('\n');
      const lines = [...index.slice(1, -1).filter((line) => !line.startsWith('base ')), `file ${path}`];
      write(`dist/${name}/weft.index`, [index[0], ...lines.sort(), ''].join('\n'));
    }
    rmSync(join(root, 'dist/.companion'), { recursive: true });
  }

  it.each(['git', 'a folder'])('shows nothing where only its place changed, from %s', async (old) => {
    await synth();
    moveIntoClusters();
    if (old === 'git')
      for (const args of [
        ['init', '-q'],
        ['add', '.'],
        ['commit', '-qm', 'a'],
      ])
        git(...args);
    else renameSync(join(root, 'dist'), join(root, 'old'));
    const { exit, stderr } = await weft('diff', ...(old === 'git' ? [] : ['old']));
    expect([exit, stderr]).toEqual([0, expect.stringContaining('no differences')]);
  });

  it.each(['git', 'a folder'])('shows a new program, and nothing after it is written, from %s', async (old) => {
    await synth();
    if (old === 'git')
      for (const args of [
        ['init', '-q'],
        ['add', '.'],
        ['commit', '-qm', 'a'],
      ])
        git(...args);
    const args = old === 'git' ? [] : ['dist'];
    expect(await weft('diff', ...args)).toMatchObject({ exit: 0, stdout: '' });
    program = 'second program\n';
    const { exit, stdout } = await weft('diff', '--all', '--format', 'json', ...args);
    expect(exit).toBe(1);
    expect(stdout.match(/weft-companion-program-[0-9a-f]+/g)?.length).toBeGreaterThan(1);
    await synth();
    if (old === 'git')
      for (const one of [
        ['add', '.'],
        ['commit', '-qm', 'b'],
      ])
        git(...one);
    expect(await weft('diff', ...args)).toMatchObject({ exit: 0, stdout: '' });
  });
});
