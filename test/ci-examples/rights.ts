import { parse } from 'yaml';

/** A step of GitHub Actions. */
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A workflow that the job calls, in place of steps. */
  readonly uses?: string;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, { readonly branches?: readonly string[] } | null>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** What must hold for every workflow: the names of the rules that one breaks. */
export function brokenRules(text: string): readonly string[] {
  const parsed = parse(text) as Workflow | { readonly runs: Job };
  const workflow = 'runs' in parsed ? workflowOf(parsed.runs) : parsed;
  return Object.entries(RULES).flatMap(([name, holds]) => (holds(workflow, text) ? [] : [name]));
}

/** The least that may use an action: a workflow of pull requests, which has no rights. */
const workflowOf = ({ steps = [] }: Job): Workflow => ({
  on: { pull_request: null },
  permissions: { contents: 'read' },
  jobs: { job: { steps } },
});

const jobsOf = ({ jobs }: Workflow): readonly Job[] => Object.values(jobs);
const stepsOf = (workflow: Workflow): readonly Step[] => jobsOf(workflow).flatMap(({ steps = [] }) => steps);
/** Actions and workflows of others. */
const usesOf = (workflow: Workflow) => [...jobsOf(workflow), ...stepsOf(workflow)].flatMap(({ uses }) => uses ?? []);
const isAction = ({ uses = '' }: Step) => uses.startsWith('platform/weft@');
const rightsOf = (workflow: Workflow, job: Job) => job.permissions ?? workflow.permissions;
const mayWrite = (workflow: Workflow, job: Job) => Object.values(rightsOf(workflow, job) ?? {}).includes('write');
const isCheckout = ({ uses = '' }: Step) => uses.startsWith('actions/checkout@');
const textOf = (value: unknown) => JSON.stringify(value ?? null);
const usesSecret = (value: unknown) => /\bsecrets\b/.test(textOf(value));
const usesToken = (value: unknown) => usesSecret(value) || /github\.token\b/.test(textOf(value));
/** Whether it reads files that somebody else wrote, or runs packages. */
const readsFiles = ({ steps = [] }: Job) =>
  steps.some((step) => isCheckout(step) || isAction(step) || /\b(npm|npx|git)\b/.test(step.run ?? ''));
/** Events whose workflow, or whose code, is a stranger's. */
const isOfPullRequest = ({ on }: Workflow) =>
  ['pull_request', 'pull_request_target', 'issue_comment', 'workflow_call'].some((event) => event in on);

export const RULES: Readonly<Record<string, (workflow: Workflow, text: string) => boolean>> = {
  'an action is pinned by its commit, with the version in a comment': (workflow, text) =>
    usesOf(workflow).every(
      (uses) =>
        /^[\w-]+\/[\w./-]+@[0-9a-f]{40}$/.test(uses) && new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+$`, 'm').test(text),
    ),
  'a checkout leaves no token': (workflow) =>
    stepsOf(workflow).every((step) => !isCheckout(step) || step.with?.['persist-credentials'] === false),
  'no checkout names a commit: it is that of the event': (workflow) =>
    stepsOf(workflow).every(
      (step) => !isCheckout(step) || !/"(ref|repository|allow-unsafe-pr-checkout)":/.test(textOf(step)),
    ),
  'rights are named': (workflow) => jobsOf(workflow).every((job) => rightsOf(workflow, job) !== undefined),
  'a job that reads files or runs packages may write nothing': (workflow) =>
    jobsOf(workflow).every((job) => !readsFiles(job) || !mayWrite(workflow, job)),
  'the workflow of a pull request may write nothing': (workflow) =>
    !('pull_request' in workflow.on) || jobsOf(workflow).every((job) => !mayWrite(workflow, job)),
  'tokens are those of steps': (workflow) =>
    !usesToken(workflow.env) &&
    jobsOf(workflow).every(({ env, ...job }) => !usesToken(env) && !usesToken({ ...job, steps: [] })),
  'a step that runs packages has no token': (workflow) =>
    stepsOf(workflow).every((step) => !/\b(npm|npx)\b/.test(step.run ?? '') || !/github\.token\b/.test(textOf(step))),
  'no secret is where a pull request is read': (workflow) => !isOfPullRequest(workflow) || !usesSecret(workflow.jobs),
  'a secret is that of an environment, named by itself': (workflow) =>
    jobsOf(workflow).every(
      (job) => !usesSecret(job) || (job.environment !== undefined && !/secrets\[/.test(textOf(job))),
    ),
  'no value of an event is part of a script': (workflow) =>
    stepsOf(workflow).every(({ run = '' }) => !run.includes('${{')),
  'no cluster.ts is run': (workflow) =>
    stepsOf(workflow).every((step) =>
      isAction(step)
        ? step.with?.['programs'] === undefined
        : !/\bnpx weft\b/.test(step.run ?? '') ||
          workflow.env?.['WEFT_NO_PROGRAMS'] === '1' ||
          step.run?.startsWith('if [ "$PROGRAMS" != true ]; then export WEFT_NO_PROGRAMS=1; fi\n') === true,
    ),
  'no cache of a run reaches another': (workflow) =>
    stepsOf(workflow).every(
      ({ uses = '', with: inputs }) => !/setup-node@/.test(uses) || inputs?.['package-manager-cache'] === false,
    ),
  'a privileged event is of pull requests for main': ({ on }) =>
    !('workflow_run' in on) &&
    (!('pull_request_target' in on) || textOf(on['pull_request_target']?.branches) === '["main"]'),
};
