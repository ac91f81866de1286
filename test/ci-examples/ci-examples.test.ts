import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import { parse } from 'yaml';
import { podOf } from '../plan/fleet.js';
import { liveItems } from '../plan/input-folder.js';
import type { KubernetesObject } from '../../src/kubernetes/types.js';
import { putCommand } from '../bundle/built-command.js';
import { clusterText, policyText, UBUNTU_POOL } from '../golden/compile.js';
import { expectGolden } from '../golden/golden-file.js';
import { NO_STARTUP_FILES } from '../kit/bash.js';
import { isEveryCase } from '../kit/shares.js';
import { failOnChoices } from '../../src/review/impact/impact.js';

const EXAMPLES = resolve('examples');
const readExample = (name: string) => readFileSync(join(EXAMPLES, name), 'utf8');

/** GitHub's parser takes a second to start. */
(isEveryCase ? describe : describe.skip)('the workflows of GitHub Actions', () => {
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
    image?: string,
  ) => { readonly status: number; readonly said: string };
  readonly read: (path: string) => string;
}

const CLUSTER = clusterText(`  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`);
const policy = (version: string) =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  ofedDriver: {version: ${version}, upgradePolicy: {autoUpgrade: true, drain: {enable: true}}}\n`,
  );

const COMMANDS: Readonly<Record<string, string>> = {
  npm: 'exit 0',
  npx: '[ "$1" = weft ] || exit 99; shift; exec "$NODE" "$WEFT" "$@"',
  gh: `echo "$*" >> "$BED/gh.log"
case "$*" in
  *PATCH*) ;;
  *commits/*/status*) cat "$BED/state" ;;
  *issues/7/comments*) cat "$BED/comments" ;;
esac
cp comment.md "$BED/comment.md" || true`,
  curl: `echo "$*" >> "$BED/curl.log"
case "$*" in
  *--request*) ;;
  *resource_label_events*) cat "$BED/labels.json" ;;
  *versions*) cat "$BED/versions.json" ;;
  *notes*) cat "$BED/notes.json" ;;
  *) cat "$BED/merge-request.json" ;;
esac`,
  kubectl: `case "$*" in *proxy*) exec "$NODE" "$KUBECTL" "$@" ;; esac
echo "$*" >> "$BED/kubectl.log"; cat "$BED/nodes.json"`,
};

/** What every image has: its shell and the basic programs. */
const BASIC = ['sh', 'bash', 'cat', 'cp', 'env', 'kill', 'mkdir', 'sleep', 'test', 'tr'];

/**
 * The other programs of the images that the examples name. Sources: `Dockerfile` of docker.io/library/node on buildpack-deps, that of
 * alpine/k8s, and the list of programs of actions/runner-images for ubuntu-latest.
 */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  'docker.io/library/node:24': ['node', 'npm', 'npx', 'git', 'curl'],
  'docker.io/alpine/k8s:1.34.1': ['kubectl', 'curl', 'git'],
  'ubuntu-latest': ['node', 'npm', 'npx', 'git', 'curl', 'gh', 'kubectl'],
};

/** A folder with the programs of an image, as commands of the bed or links to those of this machine. */
function putPrograms(bed: string, image: string): string {
  const folder = join(bed, 'images', image.replace(/\W/g, '-'));
  mkdirSync(folder, { recursive: true });
  for (const name of [...BASIC, ...(PROGRAMS[image] ?? [])]) {
    const target = COMMANDS[name] === undefined ? programPath(name) : join(bed, 'bin', name);
    symlinkSync(target, join(folder, name));
  }
  return folder;
}

function programPath(name: string): string {
  if (name === 'node') return process.execPath;
  const found = (process.env['PATH'] ?? '').split(':').find((folder) => existsSync(join(folder, name)));
  if (found === undefined) throw new Error(`this machine has no ${name}`);
  return join(found, name);
}

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
  const paths = new Map(Object.keys(PROGRAMS).map((image) => [image, putPrograms(bed, image)]));
  writeFileSync(join(bed, 'cluster.json'), JSON.stringify(liveCluster()));
  const env = {
    ...{ HOME: bed, BED: bed, NODE: process.execPath, WEFT: weft },
    ...{ KUBECTL: resolve('test/kube-server/bin/kubectl'), FAKE_CLUSTER: join(bed, 'cluster.json') },
  };
  const run: Bed['run'] = (script, more = {}, image = 'ubuntu-latest') => {
    const { status, stdout, stderr } = spawnSync('bash', [...NO_STARTUP_FILES, ...flags, '-c', script], {
      ...{ cwd: folder, encoding: 'utf8', env: { ...env, PATH: paths.get(image) ?? '', ...more } },
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

/** Lists of a cluster of three nodes with the old driver; one has a pod without a controller. */
function liveCluster(): Readonly<Record<string, object>> {
  const { metadata, ...rest } = podOf('notebook', 100, 'node-0002') as unknown as KubernetesObject;
  const notebook = { ...rest, metadata: { ...metadata, name: 'notebook', namespace: 'research', ownerReferences: [] } };
  const text = JSON.stringify([...liveItems(3), notebook])
    .replaceAll('"mofed"', '"mofed-ubuntu24.04-d57dd4984-ds"')
    .replaceAll('"nno"', '"nvidia-network-operator"');
  const items = JSON.parse(text) as readonly KubernetesObject[];
  const list = (kind: string) => ({
    metadata: { resourceVersion: '1' },
    items: items.filter((one) => one.kind === kind),
  });
  return {
    '/api/v1/nodes': list('Node'),
    '/api/v1/pods': list('Pod'),
    '/apis/apps/v1/daemonsets': list('DaemonSet'),
    '/apis/apps/v1/controllerrevisions': list('ControllerRevision'),
    '/apis/apps/v1/replicasets': list('ReplicaSet'),
  };
}

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: { readonly pull_request: { readonly types: readonly string[] } };
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly 'runs-on': string; readonly steps: readonly Step[] }>>;
}

/** The step of a job with this name, with the expressions of GitHub filled in. */
function stepOf(file: string, job: string, name: string, values: Readonly<Record<string, string>>): Step {
  const { env, jobs } = parse(readExample(file)) as Workflow;
  const filled = (text: string) =>
    text.replace(/\$\{\{ ([^}]+) \}\}/g, (_all, expression: string) => {
      const value = values[expression];
      if (value === undefined) throw new Error(`no value for ${expression}`);
      return value;
    });
  const step = jobs[job]?.steps.find((one) => one.name === name);
  if (step === undefined) throw new Error(`no step ${name}`);
  const variables = Object.entries({ ...env, ...step.env }).map(([key, value]) => [key, filled(value)]);
  return { ...step, env: Object.fromEntries(variables) as Readonly<Record<string, string>> };
}

interface GitLabJob {
  readonly image?: string;
  readonly extends?: string | readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
}

/** A job of GitLab with what it extends. */
function gitLabJob(name: string): GitLabJob {
  const jobs = parse(readExample('ci/gitlab/weft.gitlab-ci.yml')) as Readonly<Record<string, GitLabJob>>;
  const job = jobs[name];
  if (job === undefined) throw new Error(`no job ${name}`);
  const above = [job.extends ?? []].flat().map(gitLabJob);
  const variables = [...above, job].map((one) => one.variables ?? {});
  const merged = Object.fromEntries(variables.flatMap((one) => Object.entries(one)));
  return { ...above.reduce((all, one) => ({ ...all, ...one }), {}), ...job, variables: merged };
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
  // The plan begins when the test runs, and draws its durations: what is shown is of one run.
  const withTimes = comment
    .replace(/takes \S+ in half of 10 runs, \S+ in nine of ten/, 'takes 9m34s in half of 10 runs, 9m43s in nine of ten')
    .replace(/from \S+ \S+Z to \S+ \S+Z/, 'from 2026-03-02 09:00Z to 2026-03-02 09:10Z')
    .replace(/\d+ pods evicted/, '5 pods evicted');
  return renamed.reduce((text, [from, to]) => text.replaceAll(from, to), withTimes);
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
    'github.repository': 'platform/network',
    'github.event.pull_request.number': '7',
    'github.event.pull_request.head.sha': 'c0ffee',
    'matrix.cluster': 'east',
    'secrets[matrix.secret]': 'a kubeconfig',
    'secrets.KUBECONFIG_REVIEW': 'a kubeconfig',
    'runner.temp': tmpdir(),
  };
  const env = {
    RUNNER_TEMP: tmpdir(),
    GITHUB_ACTOR: 'ada',
    WEFT_TOKEN: 'token',
    KUBECONFIG_EAST: '/kubeconfig',
    KUBECONFIG_REVIEW: '/kubeconfig',
    CI_API_V4_URL: 'https://git.example.com/api/v4',
    CI_PROJECT_ID: '1',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  };

  const STEPS = {
    check: 'dist/ is what clusters/ says, also after the merge',
    comment: 'One comment says what the change does',
    gate: 'A person has approved what is dangerous',
    pools: 'The nodes are those of nodePools',
  } as const;
  const gitHubStep = (purpose: keyof typeof STEPS) =>
    purpose === 'pools'
      ? stepOf('ci/github/weft-pools.yml', 'pools', STEPS[purpose], GITHUB)
      : stepOf('ci/github/weft.yml', 'review', STEPS[purpose], GITHUB);

  /** Runs the script of a purpose with the programs of its image. */
  function runScript(purpose: keyof typeof STEPS | 'nodes' | 'kubectl') {
    if (host === 'GitHub') {
      const step = gitHubStep(purpose === 'nodes' || purpose === 'kubectl' ? 'pools' : purpose);
      return bed.run(step.run ?? '', { ...env, RUNNER_TEMP: join(parent, 'bin'), ...step.env });
    }
    const { image, variables, before_script: before = [], script = [] } = gitLabJob(`weft-${purpose}`);
    return bed.run([...before, ...script].join('\n'), { ...env, ...variables }, image);
  }
  const write = (name: string, text: string) => writeFileSync(join(parent, name), text);
  const log = () => bed.read(host === 'GitHub' ? 'gh.log' : 'curl.log');

  it('checks dist/', () => {
    expect(runScript('check').status).toBe(0);
    const file = join(bed.folder, 'dist/east/kustomization.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `${text}# edited\n`);
    expect(runScript('check')).toMatchObject({ status: 1, said: expect.stringContaining('1 different') });
    writeFileSync(file, text);
  });

  it('writes one comment, and updates it after the next push', () => {
    write('comments', '');
    write('notes.json', '[{"id": 3, "body": "a question"}]');
    if (host === 'GitLab') expect(runScript('kubectl').status).toBe(0);
    expect(runScript('comment')).toMatchObject({ status: 0 });
    const comment = host === 'GitHub' ? bed.read('comment.md') : readFileSync(join(bed.folder, 'comment.md'), 'utf8');
    expect(comment).toMatch(/^<!-- weft diff -->\n/);
    expect(comment.length).toBeLessThan(65_536);
    // The guide shows this comment.
    expectGolden(join(EXAMPLES, 'ci/comment.md'), withNames(comment.replace(/^.*\n/, '')));
    const GITHUB_SAYS = [
      'pr comment 7 --body-file comment.md',
      '--method PATCH repos/platform/network/issues/comments/12 ',
    ];
    const NOTES = 'https://git.example.com/api/v4/projects/1/merge_requests/7/notes';
    const GITLAB_SAYS = [`--form body=<comment.md ${NOTES}\n`, `--form body=<comment.md ${NOTES}/12\n`];
    const [created, updated] = host === 'GitHub' ? GITHUB_SAYS : GITLAB_SAYS;
    expect(log()).toContain(created);
    expect(log()).not.toContain(updated);
    write('comments', '12\n15\n');
    write('notes.json', '[{"id": 3, "body": "a question"}, {"id": 12, "body": "<!-- weft diff -->\\nbefore"}]');
    expect(runScript('comment')).toMatchObject({ status: 0 });
    expect(log()).toContain(updated);
    expect(log().split(created ?? '')).toHaveLength(2);
  });

  it('holds back what is dangerous until a person approves it, and a later push needs another approval', () => {
    const held = { status: 1, said: expect.stringContaining('drain') };
    const pushed = (at: string) => write('versions.json', `[{"created_at": "${at}"}]`);
    const label = (at: string) => `{"action": "add", "created_at": "${at}", "label": {"name": "weft-approved"}}`;
    write('state', '');
    write('merge-request.json', '{"labels": ["other"]}');
    write('labels.json', '[]');
    pushed('2026-03-01T10:00:00.000Z');
    expect(runScript('gate')).toMatchObject(held);
    write('state', 'success\n');
    write('merge-request.json', '{"labels": ["other", "weft-approved"]}');
    write('labels.json', `[${label('2026-03-01T11:00:00.000Z')}]`);
    expect(runScript('gate')).toMatchObject({ status: 0, said: expect.stringContaining('approved') });
    // GitHub has no status for the new commit; GitLab has the label still.
    write('state', '');
    pushed('2026-03-01T12:00:00.000Z');
    expect(runScript('gate')).toMatchObject(held);
  });

  it('gates every dangerous class', () => {
    const { DANGEROUS = '' } = (host === 'GitHub' ? gitHubStep('gate').env : gitLabJob('weft-gate').variables) ?? {};
    const harmless = ['remove', 'add', 'metadata', 'refused'];
    const dangerous = failOnChoices.filter((one) => !harmless.includes(one));
    expect(DANGEROUS.split(',').sort()).toEqual([...dangerous].sort());
  });

  it('compares nodes with nodePools', () => {
    const compare = () => (host === 'GitHub' ? 0 : runScript('nodes').status) || runScript('pools').status;
    write('nodes.json', nodes('6.8.0-31-generic'));
    expect(compare()).toBe(0);
    write('nodes.json', nodes('6.8.0-45-generic'));
    expect(compare()).toBe(1);
    expect(bed.read('kubectl.log')).toContain('get nodes -o json');
  });
});

describe('the approval on GitHub', () => {
  const { on, jobs } = parse(readExample('ci/github/weft.yml')) as Workflow;
  const ifs = new Map(jobs['review']?.steps.map(({ name = '', if: condition }) => [name, condition]));

  it('is a status of the commit that the label was set for', () => {
    expect(on.pull_request.types).toEqual(expect.arrayContaining(['labeled', 'unlabeled', 'synchronize']));
    const isLabel = "github.event.label.name == 'weft-approved'";
    expect(ifs.get('The label approves this commit')).toBe(`\${{ github.event.action == 'labeled' && ${isLabel} }}`);
    expect(ifs.get('Without the label it is not approved')).toBe(
      `\${{ github.event.action == 'unlabeled' && ${isLabel} }}`,
    );
  });

  it('ends with a push, which takes the label away', () => {
    expect(ifs.get('A push takes the label away')).toBe(
      "${{ github.event.action == 'synchronize' && contains(github.event.pull_request.labels.*.name, 'weft-approved') }}",
    );
  });

  it('is asked for at each pull request, whatever its labels', () => {
    expect(ifs.get('A person has approved what is dangerous')).toBe(
      "${{ !cancelled() && github.event_name == 'pull_request' }}",
    );
  });
});
