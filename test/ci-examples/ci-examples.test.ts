import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import { parse } from 'yaml';
import { putCommand } from '../bundle/built-command.js';
import { clusterText, policyText, UBUNTU_POOL } from '../golden/compile.js';
import { expectGolden } from '../golden/golden-file.js';
import { isEveryCase } from '../kit/shares.js';

const EXAMPLES = resolve('examples');
const readExample = (name: string) => readFileSync(join(EXAMPLES, name), 'utf8');

/** The parsers of GitHub and of GitLab take a second each to start. */
const describeWithAllCases = isEveryCase ? describe : describe.skip;

describeWithAllCases('the workflows of GitHub Actions', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-workflows-'));
    const entryPoints = [join(__dirname, 'workflow-problems.mjs')];
    buildSync({ entryPoints, bundle: true, platform: 'node', format: 'cjs', outfile: join(folder, 'problems.cjs') });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const problems = (text: string) =>
    execFileSync(process.execPath, [join(folder, 'problems.cjs')], { input: text, encoding: 'utf8' });

  it.each(['ci/github/weft.yml', 'ci/github/weft-pools.yml'])('%s: the parser of GitHub takes it', (name) => {
    expect(problems(readExample(name))).toBe('');
    expect(problems(readExample(name).replace('runs-on:', 'run-on:'))).toContain('run-on');
  });
});

describeWithAllCases('the jobs of GitLab', () => {
  it('are what its schema allows', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-gitlab-'));
    const list = (text: string) => {
      writeFileSync(join(folder, '.gitlab-ci.yml'), text);
      const program = resolve('node_modules/gitlab-ci-local/dist/index.js');
      const args = ['--import', join(__dirname, 'set-union.mjs'), program, '--list'];
      const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      return `${stdout}${stderr}`;
    };
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    execFileSync('git', ['remote', 'add', 'origin', 'git@git.example.com:platform/network.git'], { cwd: folder });
    const text = readExample('ci/gitlab/weft.gitlab-ci.yml');
    expect(list(text)).toContain('json schema validated');
    expect(list(text.replace('stage: weft', 'stage: [weft]'))).not.toContain('json schema validated');
    rmSync(folder, { recursive: true });
  });
});

it('Renovate finds drivers and releases', () => {
  const { customManagers } = JSON.parse(readExample('renovate.json')) as {
    readonly customManagers: readonly { readonly matchStrings: readonly string[] }[];
  };
  const found = (index: number, text: string) =>
    new RegExp(customManagers[index]?.matchStrings[0] ?? '', 'g').exec(text);
  const policy = readFileSync('clusters/quickstart/policy.yaml', 'utf8');
  expect(found(0, policy)?.groups).toEqual({
    imageName: 'doca-driver',
    registry: 'nvcr.io/nvidia/mellanox',
    currentValue: expect.stringMatching(/^doca/),
  });
  expect(found(1, clusterText('  release: v26.4\n'))?.groups).toEqual({ currentValue: 'v26.4' });
});

/** A repository with a cluster, a branch that changes it, and commands instead of those of the runner. */
interface Bed {
  readonly folder: string;
  /** Runs a script like the runner; returns the output of its commands. */
  readonly run: (
    script: string,
    env?: Readonly<Record<string, string>>,
  ) => { readonly status: number; readonly said: string };
  readonly read: (path: string) => string;
}

const CLUSTER = clusterText(`  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`);
const policy = (version: string) =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  ofedDriver: {version: ${version}, upgradePolicy: {autoUpgrade: true}}\n`,
  );

const COMMANDS: Readonly<Record<string, string>> = {
  npm: 'exit 0',
  npx: '[ "$1" = weft ] || exit 99; shift; exec "$NODE" "$WEFT" "$@"',
  gh: 'echo "$*" >> "$BED/gh.log"; cp comment.md "$BED/comment.md"',
  curl: 'echo "$*" >> "$BED/curl.log"; cat "$BED/merge-request.json" 2>/dev/null || true',
  kubectl: 'echo "$*" >> "$BED/kubectl.log"; cat "$BED/nodes.json"',
};

async function makeBed(flags: readonly string[]): Promise<Bed> {
  const bed = realpathSync(mkdtempSync(join(tmpdir(), 'weft-ci-')));
  const folder = join(bed, 'work');
  const origin = join(bed, 'origin.git');
  const bin = join(bed, 'bin');
  for (const path of [bin, join(folder, 'clusters/east')]) mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(COMMANDS)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  await putCommand(bed);
  const weft = join(bed, 'bin/weft.cjs');
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: bed, BED: bed, NODE: process.execPath, WEFT: weft };
  const run: Bed['run'] = (script, more = {}) => {
    const { status, stdout, stderr } = spawnSync('bash', [...flags, '-c', script], {
      ...{ cwd: folder, encoding: 'utf8', env: { ...env, ...more } },
    });
    return { status: status ?? -1, said: `${stdout}${stderr}` };
  };
  const must = (script: string) => expect(run(`set -e\n${script}`)).toMatchObject({ status: 0 });
  writeFileSync(join(folder, 'clusters/east/cluster.yaml'), CLUSTER);
  writeFileSync(join(folder, 'clusters/east/policy.yaml'), policy('doca3.2.0-25.10-1.2.8.0-2'));
  must(`git init --quiet --bare --initial-branch main ${origin}; git init --quiet --initial-branch main
    git config user.name ci; git config user.email ci@localhost; git remote add origin ${origin}
    npx weft synth; git add -A; git commit --quiet -m base; git push --quiet origin main; git checkout --quiet -b driver`);
  writeFileSync(join(folder, 'clusters/east/policy.yaml'), policy('doca3.3.0-26.01-1.0.0.0-0'));
  must('npx weft synth; git add -A; git commit --quiet -m driver');
  return { folder, run, read: (path) => readFileSync(join(bed, path), 'utf8') };
}

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The scripts of a job, with the expressions of GitHub filled in. */
function stepsOf(file: string, job: string, values: Readonly<Record<string, string>>): readonly Step[] {
  const { jobs } = parse(readExample(file)) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
  };
  const filled = (text: string) =>
    text.replace(/\$\{\{ ([^}]+) \}\}/g, (_all, expression: string) => {
      const value = values[expression];
      if (value === undefined) throw new Error(`no value for ${expression}`);
      return value;
    });
  return (jobs[job]?.steps ?? [])
    .filter(({ run }) => run !== undefined)
    .map((step) => ({
      ...step,
      env: Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value)])),
    }));
}

/** Hashes follow from all settings of the companion and of the driver: with those that the guide shows. */
function withNames(comment: string): string {
  const names = [...new Set(comment.match(/weft-companion-[0-9a-f]{10}/g))];
  const digests = [...new Set(comment.match(/(?<=")[0-9a-f]{16}(?=")/g))];
  const shown = ['5d1f0a7c3e', 'b2960e84d7'];
  const renamed: readonly (readonly [string, string])[] = [
    ...names.map((name, index) => [name, `weft-companion-${shown[index] ?? ''}`] as const),
    ...digests.map((digest, index) => [digest, `${shown[index] ?? ''}94c1d6`] as const),
  ];
  return renamed.reduce((text, [from, to]) => text.replaceAll(from, to), comment);
}

/** A node with the fields that `weft pools` reads. */
const node = (kernel: string) => ({
  metadata: {
    name: 'node-0',
    labels: {
      'feature.node.kubernetes.io/pci-15b3.present': 'true',
      'feature.node.kubernetes.io/system-os_release.ID': 'ubuntu',
      'feature.node.kubernetes.io/system-os_release.VERSION_ID': '24.04',
      'feature.node.kubernetes.io/kernel-version.full': kernel,
      'kubernetes.io/arch': 'amd64',
    },
  },
});
const nodes = (kernel: string) => JSON.stringify({ apiVersion: 'v1', kind: 'NodeList', items: [node(kernel)] });

// GitHub runs `bash -e {0}`, GitLab `set -eo pipefail`.
describe.each([
  ['GitHub', ['-e']],
  ['GitLab', ['-e', '-o', 'pipefail']],
] as const)('the shell of the examples for %s', (host, flags) => {
  let bed: Bed;
  let parent: string;
  beforeAll(async () => {
    bed = await makeBed(flags);
    parent = join(bed.folder, '..');
  }, 120_000);
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  const GITHUB = {
    'github.base_ref': 'main',
    'github.token': 'token',
    'github.event.pull_request.number': '7',
    'matrix.cluster': 'east',
    'secrets[matrix.secret]': 'a kubeconfig',
  };
  const env = {
    RUNNER_TEMP: tmpdir(),
    WEFT_TOKEN: 'token',
    KUBECONFIG_EAST: '/kubeconfig',
    CI_API_V4_URL: 'https://git.example.com/api/v4',
    CI_PROJECT_ID: '1',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  };

  /** The script of a purpose. */
  function script(purpose: 'check' | 'comment' | 'drains' | 'pools'): {
    text: string;
    env: Readonly<Record<string, string>>;
  } {
    if (host === 'GitHub') {
      const [, check, comment, drains] = stepsOf('ci/github/weft.yml', 'review', GITHUB);
      const [, pools] = stepsOf('ci/github/weft-pools.yml', 'pools', GITHUB);
      const step = { check, comment, drains, pools }[purpose];
      return { text: step?.run ?? '', env: { ...env, RUNNER_TEMP: join(parent, 'bin'), ...step?.env } };
    }
    const jobs = parse(readExample('ci/gitlab/weft.gitlab-ci.yml')) as Readonly<
      Record<
        string,
        { readonly extends: string; readonly before_script: readonly string[]; readonly script: readonly string[] }
      >
    >;
    const job = jobs[`weft-${purpose}`];
    const before = jobs[job?.extends ?? '']?.before_script ?? [];
    return { text: [...before, ...(job?.script ?? [])].join('\n'), env };
  }
  const runScript = (purpose: Parameters<typeof script>[0]) => {
    const { text, env: own } = script(purpose);
    return bed.run(text, own);
  };
  const write = (name: string, text: string) => writeFileSync(join(parent, name), text);

  it('checks dist/', () => {
    expect(runScript('check').status).toBe(0);
    const file = join(bed.folder, 'dist/east/kustomization.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `${text}# edited\n`);
    expect(runScript('check')).toMatchObject({ status: 1, said: expect.stringContaining('1 different') });
    writeFileSync(file, text);
  });

  it('writes the comment', () => {
    expect(runScript('comment').status).toBe(0);
    const comment = host === 'GitHub' ? bed.read('comment.md') : readFileSync(join(bed.folder, 'comment.md'), 'utf8');
    // The guide shows this comment.
    expectGolden(join(EXAMPLES, 'ci/comment.md'), withNames(comment));
    expect(bed.read(host === 'GitHub' ? 'gh.log' : 'curl.log')).toContain(
      host === 'GitHub' ? 'pr comment 7 --body-file comment.md' : '/projects/1/merge_requests/7/notes',
    );
  });

  it('holds drains back until a person approves them', () => {
    write('merge-request.json', '{"labels": ["other"]}');
    expect(runScript('drains')).toMatchObject({ status: 1, said: expect.stringContaining('drain') });
    if (host === 'GitHub') {
      const workflow = parse(readExample('ci/github/weft.yml')) as {
        readonly on: { readonly pull_request: { readonly types: readonly string[] } };
      };
      expect(workflow.on.pull_request.types).toEqual(expect.arrayContaining(['labeled', 'unlabeled', 'synchronize']));
      const last = stepsOf('ci/github/weft.yml', 'review', GITHUB).at(-1);
      const isApproved = "contains(github.event.pull_request.labels.*.name, 'drain-approved')";
      expect(last?.if).toBe(`\${{ github.event_name == 'pull_request' && !${isApproved} }}`);
    } else {
      write('merge-request.json', '{"labels": ["other", "drain-approved"]}');
      expect(runScript('drains')).toMatchObject({ status: 0, said: expect.stringContaining('approved') });
    }
  });

  it('compares nodes with nodePools', () => {
    write('nodes.json', nodes('6.8.0-31-generic'));
    expect(runScript('pools').status).toBe(0);
    write('nodes.json', nodes('6.8.0-45-generic'));
    expect(runScript('pools').status).toBe(1);
    expect(bed.read('kubectl.log')).toContain('get nodes -o json');
  });
});
