import { spawnSync } from 'node:child_process';
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
import { expect } from '@jest/globals';
import { parse } from 'yaml';
import { podOf } from '../plan/fleet.js';
import { liveItems } from '../plan/input-folder.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { putCommand } from '../bundle/built-command.js';
import { clusterText, policyText, UBUNTU_POOL } from '../golden/compile.js';
import { NO_STARTUP_FILES } from '../kit/bash.js';

export const EXAMPLES = resolve('examples');
export const readExample = (name: string) => readFileSync(join(EXAMPLES, name), 'utf8');
/** The workflow that `weft-review.yml` of the examples calls. */
export const REVIEW = '.github/workflows/weft-review.yml';

/** A repository with a cluster, a branch that changes it, and commands instead of those of the runner. */
export interface Bed {
  readonly folder: string;
  /** Runs a script like the runner; returns the output of its commands. */
  readonly run: (
    script: string,
    env?: Readonly<Record<string, string>>,
    image?: string,
  ) => { readonly status: number; readonly said: string };
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
  /** Makes the commit of a change by a script; only the server has it then. */
  readonly push: (script: string) => void;
  /** The commit of the change. */
  readonly head: () => string;
  /** Takes back what steps changed in the work tree. */
  readonly reset: () => void;
  readonly remove: () => void;
}

/** A script that gives the policy another driver. */
export const otherDriver = 'sed -i s/doca3.2.0-25.10-1.2.8.0-2/doca3.3.0-26.01-1.0.0.0-0/ clusters/east/policy.yaml';

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
  'run list'*) echo 42 ;;
  'run download'*) mkdir -p "$7/east"; cp "$BED/temp/saved.json" "$7/east/east.json" ;;
  *permission*) cat "$BED/permission" ;;
  *'/pulls/7 --jq .head.sha') cat "$BED/head" ;;
  *PATCH*|*POST*) for word; do case "$word" in body=@*) cp "\${word#body=@}" "$BED/comment.md" ;; esac; done ;;
  *issues/7/comments*) cat "$BED/comments" ;;
esac`,
  curl: `echo "$*" >> "$BED/curl.log"
case "$*" in
  *--request*) ;;
  */user) echo '{"id": 9}' ;;
  *members/all/*) cat "$BED/member.json" ;;
  *notes*) cat "$BED/notes.json" ;;
  *) cat "$BED/merge-request.json" ;;
esac`,
  kubectl: `case "$*" in *proxy*) exec "$NODE" "$KUBECTL" "$@" ;; esac
echo "$*" >> "$BED/kubectl.log"; cat "$BED/nodes.json"`,
};

/** What every image has: its shell and the basic programs. */
const BASIC = [
  'sh',
  'bash',
  'base64',
  'cat',
  'cp',
  'env',
  'gzip',
  'head',
  'kill',
  'ln',
  'mkdir',
  'mv',
  'rm',
  'sed',
  'sleep',
  'test',
  'tr',
];

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

export async function makeBed(flags: readonly string[]): Promise<Bed> {
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
    ...{ HOME: bed, BED: bed, NODE: process.execPath, NODE_NO_WARNINGS: '1', WEFT: weft },
    ...{ KUBECTL: resolve('test/kube-server/kubectl.mjs'), FAKE_CLUSTER: join(bed, 'cluster.json') },
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
    npx weft synth; git add -A; git commit --quiet -m base; git push --quiet origin main; git rev-parse HEAD > ../head`);
  mkdirSync(join(bed, 'temp'));
  const read = (path: string) => readFileSync(join(bed, path), 'utf8');
  const push: Bed['push'] = (change) => {
    must(`git checkout --quiet -B change main; ${change}
      git add -A; git commit --quiet -m change; git rev-parse HEAD > ../head
      git push --quiet --force origin change:refs/pull/7/head change:refs/merge-requests/7/head
      git checkout --quiet main`);
  };
  return {
    ...{ folder, run, read, push, head: () => read('head').trim() },
    write: (path, text) => writeFileSync(join(bed, path), text),
    reset: () => must('git restore .; git clean -fdq; rm -rf snapshots'),
    remove: () => rmSync(bed, { recursive: true, force: true }),
  };
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

type Inputs = Readonly<Record<string, { readonly default?: string | boolean }>>;

interface Workflow {
  readonly on: { readonly workflow_call?: { readonly inputs: Inputs } };
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Pick<Step, 'env'> & { readonly steps: readonly Step[] }>>;
}

interface Action {
  readonly inputs: Inputs;
  readonly runs: { readonly steps: readonly Step[] };
}

/** What is filled in for expressions of GitHub. */
type Values = Readonly<Record<string, string>>;

/** The defaults of inputs, as expressions name them. */
const defaultsOf = (inputs: Inputs): Values =>
  Object.fromEntries(Object.entries(inputs).map(([name, input]) => [`inputs.${name}`, String(input.default)]));

function filledStep(step: Step | undefined, variables: readonly (Step['env'] | undefined)[], values: Values): Step {
  if (step === undefined) throw new Error('there is no such step');
  const filled = (text: string) =>
    text.replace(/\$\{\{ ([^}]+) \}\}/g, (_all, expression: string) => {
      const value = values[expression];
      if (value === undefined) throw new Error(`no value for ${expression}`);
      return value;
    });
  const entries = [...variables, step.env].flatMap((each) => Object.entries(each ?? {}));
  return { ...step, env: Object.fromEntries(entries.map(([key, value]) => [key, filled(value)])) };
}

/** The step of a job with this name, with the expressions of GitHub filled in. */
export function stepOf(file: string, job: string, name: string, values: Values): Step {
  const { on, env, jobs } = parse(readFileSync(file, 'utf8')) as Workflow;
  const step = jobs[job]?.steps.find((one) => one.name === name);
  return filledStep(step, [env, jobs[job]?.env], { ...defaultsOf(on.workflow_call?.inputs ?? {}), ...values });
}

/** The same of the action. */
export function actionStep(name: string, values: Values): Step {
  const { inputs, runs } = parse(readFileSync('action.yml', 'utf8')) as Action;
  const step = runs.steps.find((one) => one.name === name);
  return filledStep(step, [], { ...defaultsOf(inputs), ...values });
}

interface GitLabJob {
  readonly image?: string;
  readonly extends?: string | readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
}

/** The jobs of a component of GitLab, with its inputs filled in. */
function componentJobs(name: string, given: Values = {}): Readonly<Record<string, GitLabJob>> {
  const text = readFileSync(join('templates', `${name}.yml`), 'utf8');
  const [head, jobs = ''] = text.split(/^---\n/m);
  const { inputs } = (parse(head ?? '') as { readonly spec: { readonly inputs: Inputs } }).spec;
  return parse(
    jobs.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_all, input: string) => {
      const value = given[input] ?? inputs[input]?.default;
      if (value === undefined) throw new Error(`no value for ${input}`);
      return String(value);
    }),
  ) as Readonly<Record<string, GitLabJob>>;
}

/** The jobs that the example includes, for the cluster `east`. */
export const gitLabJobs = () => ({ ...componentJobs('weft'), ...componentJobs('weft-pools', { cluster: 'east' }) });

/** A job of GitLab with what it extends. */
export function gitLabJob(name: string): GitLabJob {
  const job = gitLabJobs()[name];
  if (job === undefined) throw new Error(`no job ${name}`);
  const above = [job.extends ?? []].flat().map(gitLabJob);
  const variables = [...above, job].map((one) => one.variables ?? {});
  const merged = Object.fromEntries(variables.flatMap((one) => Object.entries(one)));
  return { ...above.reduce((all, one) => ({ ...all, ...one }), {}), ...job, variables: merged };
}

/** Hashes follow from all settings of the companion and of the driver: with those that the guide shows. */
export function withNames(comment: string): string {
  const names = [...new Set(comment.match(/weft-companion-[0-9a-f]{10}/g))];
  const commits = [...new Set(comment.match(/\b[0-9a-f]{40}\b/g))];
  const digests = [...new Set(comment.match(/(?<=")[0-9a-f]{16}(?=")/g))];
  const shown = ['5d1f0a7c3e', 'b2960e84d7'];
  const renamed: readonly (readonly [string, string])[] = [
    ...names.map((name, index) => [name, `weft-companion-${shown[index] ?? ''}`] as const),
    ...commits.map((commit) => [commit, '8a1c2f0d9b7e4c6a5f3e1d0b9c8a7f6e5d4c3b2a'] as const),
    ...digests.map((digest, index) => [digest, `${shown[index] ?? ''}94c1d6`] as const),
  ];
  // The plan begins when the test runs, and draws its durations: what is shown is of one run.
  const withTimes = comment
    .replace(/costs \S+ node-hours/, 'costs `0.47` node-hours')
    .replace(/takes \S+; from/, 'takes 9m34s; from')
    .replace(/runs take at most \S+, nine of ten \S+/, 'runs take at most 9m34s, nine of ten 9m43s')
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
export const nodes = (kernel: string) => JSON.stringify({ apiVersion: 'v1', kind: 'NodeList', items: [node(kernel)] });
