import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { EXAMPLES, gitLabJob, gitLabJobs, readExample, REVIEW } from './bed.js';
import { brokenRules, RULES } from './rights.js';

const CALLER = 'examples/ci/github/weft-review.yml';
const CHECK = 'examples/ci/github/weft.yml';
const workflows = [
  ...readdirSync(join(EXAMPLES, 'ci/github')).map((name) => `examples/ci/github/${name}`),
  ...[REVIEW, 'action.yml'],
];

describe('the rights of the workflows of GitHub', () => {
  it.each(workflows)('%s keeps every rule', (path) => {
    expect(brokenRules(readFileSync(path, 'utf8'))).toEqual([]);
  });

  it('of the caller are those of all jobs that it calls, and no others', () => {
    type Rights = Readonly<Record<string, string>>;
    const jobsOf = (path: string) =>
      (
        parse(readFileSync(path, 'utf8')) as {
          readonly jobs: Readonly<Record<string, { readonly permissions: Rights }>>;
        }
      ).jobs;
    const called = Object.values(jobsOf(REVIEW)).map(({ permissions }) => permissions);
    expect(jobsOf(CALLER)['review']?.permissions).toEqual(Object.assign({}, ...called));
  });

  const DIFF = '  diff:\n    if:';
  const planted: readonly {
    readonly rule: string;
    readonly file?: string;
    readonly from: RegExp | string;
    readonly to: string;
  }[] = [
    { rule: 'an action is pinned', file: CALLER, from: /@[0-9a-f]{40} # v0.1.0/, to: '@main' },
    { rule: 'no secret is where', file: CALLER, from: '    uses:', to: '    secrets: inherit\n    uses:' },
    { rule: 'no cluster.ts is run', file: CHECK, from: /(weft@.*)/, to: "$1\n        with: {programs: 'true'}" },
    { rule: 'the workflow of a pull request', file: CHECK, from: 'contents: read', to: 'statuses: write' },
    { rule: 'no cluster.ts is run', file: 'action.yml', from: /if \[ "\$PROGRAMS.*\n *npx/, to: 'npx' },
    { rule: 'no value of an event', file: 'action.yml', from: '"$BASE" --format', to: '${{ inputs.base }} --format' },
    { rule: 'an action is pinned', from: /@[0-9a-f]{40} # v7.0.1/, to: '@v7' },
    { rule: 'an action is pinned', from: / # v7.0.1/, to: '' },
    { rule: 'a checkout leaves no token', from: /persist-credentials: false/, to: 'fetch-tags: true' },
    {
      rule: 'no checkout names a commit',
      from: 'persist-',
      to: 'ref: ${{ github.event.pull_request.head.sha }}\n          persist-',
    },
    {
      rule: 'rights are named',
      from: /permissions: \{\}\n([^]*)  approve:\n([^]*?)    permissions:\n.*\n/,
      to: '$1  approve:\n$2',
    },
    { rule: 'a job that reads files', from: 'contents: read', to: 'contents: write' },
    { rule: 'the workflow of a pull request', from: 'workflow_call:', to: 'pull_request:' },
    { rule: 'tokens are those of steps', from: '  DANGEROUS:', to: '  GH_TOKEN: ${{ github.token }}\n  DANGEROUS:' },
    {
      rule: 'tokens are those of steps',
      from: DIFF,
      to: '  diff:\n    env: {GH_TOKEN: "${{ github.token }}"}\n    if:',
    },
    {
      rule: 'a step that runs packages',
      from: '- run: npm ci',
      to: '- run: npm ci\n        env: {A: "${{ github.token }}"}',
    },
    {
      rule: 'no secret is where a pull request is read',
      from: '- run: npm ci',
      to: '- run: npm ci\n        env: {A: "${{ secrets.A }}"}',
    },
    {
      rule: 'a secret is that of an environment',
      from: '- run: npm ci',
      to: '- run: npm ci\n        env: {A: "${{ secrets.A }}"}',
    },
    { rule: 'no value of an event', from: 'run: npm ci', to: 'run: npm ci ${{ github.head_ref }}' },
    { rule: 'no cluster.ts is run', from: /\n {2}WEFT_NO_PROGRAMS.*/, to: '' },
    { rule: 'no cache of a run', from: /\n *package-manager-cache: false/, to: '' },
    { rule: 'a privileged event', file: CALLER, from: 'branches: [main]', to: "branches: ['**']" },
  ];
  it.each(planted)('$rule: a violation is found', ({ rule, file = REVIEW, from, to }) => {
    const text = readFileSync(file, 'utf8');
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    expect(brokenRules(changed)).toEqual(expect.arrayContaining([expect.stringContaining(rule)]));
  });

  it('each rule has one', () => {
    const isPlanted = (name: string) => planted.some(({ rule }) => name.startsWith(rule));
    expect(Object.keys(RULES).filter((name) => !isPlanted(name))).toEqual([]);
  });
});

describe('the rights of the pipelines of GitLab', () => {
  const jobs = Object.keys(gitLabJobs())
    .filter((name) => name.startsWith('weft-'))
    .map((name) => ({ name, ...gitLabJob(name) }));
  const textOf = (value: unknown) => JSON.stringify(value ?? null);
  const conditions = (job: object) =>
    ('rules' in job ? (job.rules as readonly { readonly if: string }[]) : []).map((one) => one.if);

  it('are those of each kind of pipeline', () => {
    for (const { script, variables } of jobs)
      if (script?.some((line) => line.includes('npx weft'))) expect(variables).toMatchObject({ WEFT_NO_PROGRAMS: '1' });
    expect(jobs.map(({ name }) => name)).toEqual([
      'weft-check',
      'weft-diff',
      'weft-report',
      'weft-kubectl-east',
      'weft-pools-east',
    ]);
    for (const job of jobs) expect(conditions(job).length).toBeGreaterThan(0);
  });

  it.each(jobs)('$name has no variable that its pipeline must not have', (job) => {
    const script = [...(job.before_script ?? []), ...(job.script ?? [])].join('\n');
    const hasToken = script.includes('WEFT_TOKEN');
    const hasKubeconfig = script.includes('KUBECONFIG');
    const isOfMergeRequest = conditions(job).some((one) => one.includes('merge_request_event'));
    // Variables reach a job by its environment alone, and only on the default branch.
    expect('environment' in job).toBe(hasToken || hasKubeconfig);
    expect(isOfMergeRequest && (hasToken || hasKubeconfig || 'cache' in job)).toBe(false);
    if (!isOfMergeRequest)
      for (const one of conditions(job)) expect(one).toContain('&& $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH');
    if (hasToken) expect(script).not.toMatch(/\b(npm|npx|git)\b/);
    if (hasKubeconfig) expect(textOf(conditions(job))).toMatch(/^\["\$CI_PIPELINE_SOURCE == \\"schedule\\"/);
    expect(script).not.toContain('CI_JOB_TOKEN');
  });

  it('are those of components that are pinned', () => {
    const { include } = parse(readExample('ci/gitlab/weft.gitlab-ci.yml')) as {
      readonly include: readonly { readonly component: string }[];
    };
    const pinned = /^\$CI_SERVER_FQDN\/platform\/weft\/(weft|weft-pools)@[0-9a-f]{40}$/;
    expect(include.map(({ component }) => pinned.exec(component)?.[1])).toEqual(['weft', 'weft-pools']);
  });

  it('takes of a merge request only clusters/, base/ and dist/, after all packages are installed', () => {
    const lines = (gitLabJob('weft-diff').script ?? []).join('\n');
    expect(lines.match(/^git (?!fetch|merge-tree).*$/gm)).toEqual(['git restore --source "$tree" -- clusters dist']);
    expect(lines.match(/git restore [^;\n]*/g)).toEqual([
      'git restore --source "$tree" -- clusters dist',
      'git restore --source "$tree" -- base',
    ]);
    expect(lines.indexOf('npm ci')).toBeLessThan(lines.indexOf('git fetch'));
    expect(lines.lastIndexOf('npm ci')).toBe(lines.indexOf('npm ci'));
  });
});
