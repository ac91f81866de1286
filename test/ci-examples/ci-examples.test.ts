import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import { clusterText } from '../golden/compile.js';
import { expectGolden } from '../golden/golden-file.js';
import { isEveryCase } from '../kit/shares.js';
import { failOnChoices } from '../../src/review/impact/impact.js';
import {
  actionStep,
  EXAMPLES,
  gitLabJob,
  makeBed,
  nodes,
  otherDriver,
  readExample,
  REVIEW,
  stepOf,
  withNames,
  type Bed,
} from './bed.js';

const CALLERS = readdirSync(join(EXAMPLES, 'ci/github'));
const OWN = readdirSync('.github/workflows').map((name) => `.github/workflows/${name}`);

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

  it.each([...CALLERS.map((name) => `examples/ci/github/${name}`), ...OWN])(
    '%s: the parser of GitHub takes it',
    (path) => {
      const text = readFileSync(path, 'utf8');
      expect(problems(text)).toBe('');
      expect(problems(text.replace('permissions:', 'permission:'))).toContain('permission');
    },
  );
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

const VALUES = { 'github.event.pull_request.head.sha': 'x', 'github.repository': 'platform/network' };
const POOLS = 'examples/ci/github/weft-pools.yml';

/** The steps of GitHub: file, job, name. */
const STEPS = {
  take: [REVIEW, 'diff', 'Only clusters/, base/ and dist/ are those of the pull request'],
  snapshots: [REVIEW, 'diff', 'The clusters as weft-pools.yml saved them'],
  diff: [REVIEW, 'diff', 'What it does to the clusters'],
  sarif: [REVIEW, 'diff', 'The same for code scanning'],
  gate: [REVIEW, 'report', 'The gate is a status of the commit'],
  comment: [REVIEW, 'report', 'One comment says what the change does'],
  scan: [REVIEW, 'scan', 'Code scanning shows it at the lines of the change'],
  approve: [REVIEW, 'approve', 'Somebody else than the author, who may write, approves a commit'],
  pools: [POOLS, 'pools', 'The nodes are those of nodePools'],
  save: [POOLS, 'pools', 'The cluster is saved'],
} as const;

/** What a review of a change came to. */
interface Review {
  readonly state: string;
  /** Where the comment went. */
  readonly sent: string;
  readonly comment: string;
  readonly said: string;
}

interface Comment {
  readonly id: number;
  readonly by: 'weft' | 'author' | 'maintainer' | 'stranger';
  readonly body: string;
}

const MARKER = '<!-- weft diff -->';

/** GitHub runs `bash -e {0}`. */
function gitHub(bed: Bed) {
  const temp = join(bed.folder, '../temp');
  const step = (purpose: keyof typeof STEPS, values: Readonly<Record<string, string>> = {}) => {
    const [file, job, name] = STEPS[purpose];
    const { run = '', env } = stepOf(file, job, name, {
      'github.base_ref': 'main',
      'github.token': 'token',
      'github.repository': 'platform/network',
      'github.event.pull_request.number': '7',
      'github.event.pull_request.head.sha': bed.head(),
      'matrix.cluster': 'east',
      'secrets.KUBECONFIG': 'a kubeconfig',
      'runner.temp': temp,
      ...values,
    });
    return bed.run(run, { RUNNER_TEMP: temp, GITHUB_OUTPUT: join(temp, 'output'), ...env });
  };
  /** A step of the action. */
  const act = (name: string, inputs: Readonly<Record<string, string>> = {}) => {
    const { run = '', env } = actionStep(name, inputs);
    mkdirSync(temp, { recursive: true });
    return bed.run(run, { GITHUB_STEP_SUMMARY: join(temp, 'summary.md'), ...env });
  };
  const review = (comments: readonly Comment[]): Review => {
    rmSync(temp, { recursive: true, force: true });
    mkdirSync(temp);
    bed.write('gh.log', '');
    bed.write('comment.md', '');
    bed.write('comments', comments.flatMap(({ id, by }) => (by === 'weft' ? `${id}\n` : [])).join(''));
    expect(step('save')).toMatchObject({ status: 0 });
    expect(step('take')).toMatchObject({ status: 0 });
    bed.write('temp/saved.json', bed.read('temp/east.json'));
    expect(step('snapshots')).toMatchObject({ status: 0 });
    const { status, said } = step('diff');
    const outputs = new Map(
      status === 0
        ? bed
            .read('temp/output')
            .split('\n')
            .map((line) => line.split(/=(.*)/) as [string, string])
        : [],
    );
    const values = {
      "needs.diff.outputs.state || 'failure'": outputs.get('state') ?? 'failure',
      'needs.diff.outputs.comment': outputs.get('comment') ?? '',
    };
    expect(step('gate', values)).toMatchObject({ status: 0 });
    expect(step('comment', values)).toMatchObject({ status: 0 });
    const log = bed.read('gh.log');
    const state = new RegExp(`statuses/${bed.head()} -f context=weft/gate -f state=(\\w+)`).exec(log)?.[1] ?? '';
    const sent = /--method (\S+ \S+) -F body/.exec(log)?.[1] ?? '';
    return { state, sent, comment: bed.read('comment.md'), said };
  };
  const created = 'POST repos/platform/network/issues/7/comments';
  return { step, act, review, created, updated: 'PATCH repos/platform/network/issues/comments/12' };
}

const USERS = { weft: 9, author: 1, maintainer: 2, stranger: 3 } as const;

/** GitLab runs `set -eo pipefail`. */
function gitLab(bed: Bed) {
  const job = (name: string, more: Readonly<Record<string, string>> = {}) => {
    const { image, variables, before_script: before = [], script = [] } = gitLabJob(`weft-${name}`);
    const env = {
      ...{ WEFT_TOKEN: 'token', WEFT_KUBECONFIG: '/kubeconfig', CI_API_V4_URL: 'https://git.example.com/api/v4' },
      ...{ CI_PROJECT_ID: '1', CI_DEFAULT_BRANCH: 'main', TRIGGER_PAYLOAD: join(bed.folder, '../payload.json') },
    };
    return bed.run([...before, ...script].join('\n'), { ...env, ...variables, ...more }, image);
  };
  const payload = (event: object) => bed.write('payload.json', JSON.stringify(event));
  const mergeRequest = () => ({
    ...{ iid: 7, target_branch: 'main', state: 'opened', last_commit: { id: bed.head() } },
    // A fork: its commits are no commits of a branch here.
    ...{ source_project_id: 99, target_project_id: 1 },
  });
  const event = (comments: readonly Comment[], accessLevel = 30): void => {
    const text = comments.map(({ id, by, body }) => ({ id, body, author: { id: USERS[by] } }));
    bed.write('curl.log', '');
    bed.write('notes.json', JSON.stringify(text));
    bed.write('merge-request.json', '{"author": {"id": 1}}');
    bed.write('member.json', JSON.stringify({ access_level: accessLevel }));
    payload({ object_kind: 'merge_request', object_attributes: mergeRequest() });
  };
  const review = (comments: readonly Comment[], accessLevel?: number): Review => {
    event(comments, accessLevel);
    for (const name of ['kubectl-east', 'pools-east']) expect(job(name)).toMatchObject({ status: 0 });
    const { said } = job('diff');
    return { ...report(), said };
  };
  const notes = 'https://git.example.com/api/v4/projects/1/merge_requests/7/notes';
  const merge = notes.replace('notes', 'merge');
  /** What the job does that has the token: `success` is a merge. */
  const report = (): Omit<Review, 'said'> => {
    expect(job('report')).toMatchObject({ status: 0 });
    const log = bed.read('curl.log');
    const merges = log.includes(`--request PUT --form sha=${bed.head()} ${merge}\n`);
    const state = merges ? 'success' : 'failed';
    const sent = /--request (\S+) --form body=<comment.md (\S+)/.exec(log)?.slice(1).join(' ') ?? '';
    return { state, sent, comment: readFileSync(join(bed.folder, 'comment.md'), 'utf8') };
  };
  return {
    ...{ job, payload, mergeRequest, event, report, review },
    created: `POST ${notes}`,
    updated: `PUT ${notes}/12`,
  };
}

describe.each([
  ['GitHub', ['-e'], gitHub],
  ['GitLab', ['-e', '-o', 'pipefail'], gitLab],
] as const)('the shell of the examples for %s', (host, flags, hostOf) => {
  let bed: Bed;
  let runner: ReturnType<typeof gitHub> | ReturnType<typeof gitLab>;
  beforeAll(async () => {
    bed = await makeBed(flags);
    bed.write('nodes.json', nodes('6.8.0-31-generic'));
    runner = hostOf(bed);
  }, 120_000);
  afterAll(() => bed.remove());
  afterEach(() => bed.reset());
  const held = host === 'GitHub' ? 'failure' : 'failed';

  it('checks dist/', () => {
    const check = () => ('step' in runner ? runner.act('dist/ is what clusters/ says') : runner.job('check'));
    expect(check().status).toBe(0);
    const file = join(bed.folder, 'dist/east/kustomization.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}# edited\n`);
    const said = expect.stringMatching(host === 'GitHub' ? /^::error/m : /1 different/);
    expect(check()).toMatchObject({ status: 1, said });
  });

  it('runs a cluster.ts only where it is asked to', () => {
    writeFileSync(join(bed.folder, 'clusters/east/cluster.ts'), 'export default [];\n');
    const check = (programs: string) =>
      'step' in runner
        ? runner.act('dist/ is what clusters/ says', { 'inputs.programs': programs })
        : runner.job('check', { PROGRAMS: programs });
    expect(check('false').said).toContain('unset `WEFT_NO_PROGRAMS`');
    // The bed has no jiti, which loads the program.
    expect(check('true').said).toContain('jiti');
  });

  it('holds back what is dangerous, and says what it does in one comment', () => {
    bed.push(`${otherDriver}; npx weft synth`);
    const { state, sent, comment, said } = runner.review([{ id: 3, by: 'stranger', body: 'a question' }]);
    expect({ state, sent }).toEqual({ state: held, sent: runner.created });
    expect(said).toContain('drain');
    expect(comment).toMatch(/^<!-- weft diff -->\n/);
    expect(comment.length).toBeLessThan(65_536);
    // The guide shows this comment.
    const shown = comment.replace(
      'Another Maintainer than the author merges it with the comment',
      'To approve it, comment',
    );
    expectGolden(join(EXAMPLES, 'ci/comment.md'), withNames(shown.replace(/^.*\n/, '')));
    bed.reset();
    const again = runner.review([
      { id: 15, by: 'stranger', body: host === 'GitHub' ? 'a question' : `${MARKER}\nof a stranger` },
      { id: 12, by: 'weft', body: `${MARKER}\nbefore` },
    ]);
    expect(again).toMatchObject({ state: held, sent: runner.updated });
  });

  it.each([
    { name: 'attributes', change: 'echo "* -diff" > clusters/east/.gitattributes' },
    { name: 'attributes of the whole repository', change: 'echo "dist/** ident" >> .gitattributes' },
    { name: 'files that Flux leaves out', change: 'echo "/dist" > .sourceignore' },
    { name: 'settings of Argo CD', change: 'mkdir other; echo "{}" > other/.argocd-source.yaml' },
    // Argo CD renders nothing of a repository that has such a link anywhere, and fetches every submodule.
    { name: 'a link out of the repository', change: 'mkdir other; ln -s /etc/passwd other/link' },
    { name: 'a submodule', change: 'mkdir sub; git update-index --add --cacheinfo "160000,$(git rev-parse HEAD),sub"' },
  ])('ends where the change has what others than Weft read: $name', ({ change }) => {
    bed.push(change);
    if ('step' in runner) {
      expect(runner.step('take').status).toBe(1);
      return;
    }
    runner.event([]);
    expect(runner.job('diff').status).toBe(1);
  });

  it('takes a base of the change, too', () => {
    const base = 'apiVersion: weft.dev/v1alpha1\\nkind: ClusterBase\\nmetadata: {name: common}\\nspec: {}\\n';
    bed.push(`mkdir -p base/common; printf '${base}' > base/common/cluster.yaml
      sed -i 's#^spec:#spec:\\n  extends: [../../base/common]#' clusters/east/cluster.yaml; npx weft synth`);
    const { state, said, comment } = runner.review([]);
    expect({ state, said }).toEqual({
      state: host === 'GitHub' ? 'success' : held,
      said: expect.stringContaining('no differences'),
    });
    expect(comment).not.toContain('is not what the Weft of');
  });

  it('lets pass what is harmless', () => {
    bed.push('echo "# a comment" >> clusters/east/policy.yaml; npx weft synth');
    const noDifferences = expect.stringContaining('no differences');
    if ('step' in runner) {
      const { state, comment, said } = runner.review([]);
      expect({ state, said }).toEqual({ state: 'success', said: noDifferences });
      expect(comment).not.toContain('weft approve');
      return;
    }
    // Nothing of a merge request is merged that no Maintainer has seen; of what is harmless, he may be the author.
    const { state, comment, said } = runner.review([]);
    expect({ state, said }).toEqual({ state: held, said: noDifferences });
    expect(comment).toContain(`A Maintainer merges it with the comment \`weft approve ${bed.head()}\`.`);
    const approval: Comment = { id: 4, by: 'author', body: `weft approve ${bed.head()}` };
    bed.reset();
    expect(runner.review([approval], 30).state).toBe(held);
    bed.reset();
    expect(runner.review([approval], 40).state).toBe('success');
  });

  it('has the diff in the summary of a job, and as SARIF', () => {
    if (!('step' in runner)) return;
    const { act } = runner;
    bed.run(otherDriver);
    const diff = (failOn: string) =>
      act('What it does to the clusters', { 'inputs.base': 'HEAD', 'inputs.fail-on': failOn }).status;
    expect([diff(''), diff('network'), diff('network,drain')]).toEqual([0, 0, 1]);
    expect(bed.read('temp/summary.md')).toContain('drain');
    const values = { 'inputs.sarif-file': join(bed.folder, '../temp/check.sarif') };
    expect(act('dist/ is what clusters/ says', values).status).toBe(1);
    expect(JSON.parse(bed.read('temp/check.sarif'))).toHaveProperty('runs');
    expect(runner.step('sarif').status).toBe(0);
    const drain: unknown = expect.objectContaining({ ruleId: 'drain' });
    expect(JSON.parse(bed.read('temp/weft.sarif'))).toHaveProperty('runs.0.results', expect.arrayContaining([drain]));
    expect(runner.step('scan').status).toBe(0);
    expect(bed.read('gh.log')).toContain(`code-scanning/sarifs -f commit_sha=${bed.head()}`);
    const sent = Buffer.from(bed.read('temp/sarif'), 'base64');
    expect(JSON.parse(gunzipSync(sent).toString())).toHaveProperty('runs');
  });

  it('is no status of a commit, which a fork cannot have: GitLab merges', () => {
    if ('step' in runner) return;
    bed.push(`${otherDriver}; npx weft synth`);
    const body = `weft approve ${bed.head()}`;
    expect(runner.review([{ id: 4, by: 'maintainer', body }], 40).state).toBe('success');
    const log = bed.read('curl.log');
    expect(log).not.toContain('/statuses/');
    expect(log.match(/projects\/\d+/g)?.every((one) => one === 'projects/1')).toBe(true);
  });

  it.each([
    {
      name: 'an edited dist/',
      change: 'echo "# edited" >> dist/east/kustomization.yaml',
      says: 'is not what the Weft of',
    },
    {
      name: 'programs, settings and packages',
      change:
        `echo 'require("fs").writeFileSync("../ran", "")' > index.js; cp index.js clusters/east/cluster.ts; ` +
        'echo node-options=--require=./index.js > .npmrc; echo {} > package.json',
      says: 'says why Weft cannot compare it',
    },
  ])('holds back $name, and runs nothing', ({ change, says }) => {
    bed.push(change);
    const { state, comment } = runner.review([]);
    expect({ state, comment }).toEqual({ state: held, comment: expect.stringContaining(says) });
    expect(existsSync(join(bed.folder, '../ran'))).toBe(false);
    for (const name of ['.npmrc', 'index.js', 'package.json']) expect(existsSync(join(bed.folder, name))).toBe(false);
  });

  it('gates every dangerous class', () => {
    const { env } = stepOf(REVIEW, 'diff', 'What it does to the clusters', VALUES);
    const { DANGEROUS = '' } = (host === 'GitHub' ? env : gitLabJob('weft-diff').variables) ?? {};
    // What an object of a strange kind does is not known, so it is held back until somebody has looked.
    const harmless = ['metadata', 'refused'];
    expect(DANGEROUS.split(',').sort()).toEqual(failOnChoices.filter((one) => !harmless.includes(one)).sort());
  });

  it('compares nodes with nodePools', () => {
    const compare = () =>
      ('step' in runner ? runner.step('pools') : (runner.job('kubectl-east'), runner.job('pools-east'))).status;
    expect(compare()).toBe(0);
    bed.write('nodes.json', nodes('6.8.0-45-generic'));
    expect(compare()).toBe(1);
    bed.write('nodes.json', nodes('6.8.0-31-generic'));
    expect(bed.read('kubectl.log')).toContain('get nodes -o json');
  });

  const COMMIT = '8a1c2f0d9b7e4c6a5f3e1d0b9c8a7f6e5d4c3b2a';
  const APPROVAL = { by: 'maintainer', mayWrite: true, commit: COMMIT } as const;
  const approvals = [
    { ...APPROVAL, name: 'a person who may write', isApproved: true },
    { ...APPROVAL, name: 'a person who may only read', mayWrite: false, isApproved: false },
    { ...APPROVAL, name: 'the author', by: 'author', isApproved: false },
    { ...APPROVAL, name: 'another commit', commit: COMMIT.replace('8a', '00'), isApproved: false },
    { ...APPROVAL, name: 'a part of the commit', commit: COMMIT.slice(0, 8), isApproved: false },
    { ...APPROVAL, name: 'more than the commit', commit: `${COMMIT} $(echo > ../ran)`, isApproved: false },
  ] as const;

  it.each(approvals)('asks who approves, and what: $name', ({ isApproved, mayWrite, by, commit }) => {
    if ('step' in runner) {
      bed.write('gh.log', '');
      bed.write('permission', mayWrite ? 'write\n' : 'read\n');
      bed.write('head', `${COMMIT}\n`);
      const { status } = runner.step('approve', {
        'github.event.issue.number': '7',
        'github.event.comment.user.login': by,
        'github.event.issue.user.login': 'author',
        'github.event.comment.body': `weft approve ${commit}`,
      });
      const set = `statuses/${commit} -f context=weft/gate -f state=success -f description=approved by ${by}`;
      expect({ isDone: status === 0, isSet: bed.read('gh.log').includes(set) }).toEqual({
        isDone: isApproved,
        isSet: isApproved,
      });
    } else {
      const body = `weft approve ${commit.replace(COMMIT, bed.head())}`;
      runner.event([{ id: 4, by, body }], mayWrite ? 40 : 30);
      writeFileSync(join(bed.folder, 'comment.md'), MARKER);
      writeFileSync(join(bed.folder, 'state'), 'failed\n');
      const { state } = runner.report();
      expect(state).toBe(isApproved ? 'success' : held);
    }
    expect(existsSync(join(bed.folder, '../ran'))).toBe(false);
  });

  it('ends at an event that is not meant', () => {
    // GitHub starts the workflow for no other event.
    if ('step' in runner) return;
    const other = { ...runner.mergeRequest(), target_branch: 'other' };
    const events = [
      { object_kind: 'merge_request', object_attributes: other },
      { object_kind: 'merge_request', object_attributes: { ...runner.mergeRequest(), state: 'merged' } },
      { object_kind: 'note', object_attributes: { note: 'a question' }, merge_request: runner.mergeRequest() },
      { object_kind: 'note', object_attributes: { note: 'weft approve x' }, issue: { iid: 7 } },
    ];
    bed.write('curl.log', '');
    for (const event of events) {
      runner.payload(event);
      for (const name of ['diff', 'report']) expect(runner.job(name)).toMatchObject({ status: 0 });
    }
    runner.payload({
      object_kind: 'merge_request',
      object_attributes: { ...runner.mergeRequest(), last_commit: { id: '--x' } },
    });
    expect(runner.job('report').status).not.toBe(0);
    expect(bed.read('curl.log')).toBe('');
  });
});
