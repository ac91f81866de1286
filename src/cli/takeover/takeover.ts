import { dirname, join, relative, resolve } from 'node:path';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { linkOnTheWay } from '../../shared/files/links.js';
import { escapeLine, shellWord } from '../../shared/lib/escape.js';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { thrownTexts } from '../../shared/lib/thrown.js';
import { loadDocuments } from '../compile/load.js';
import { linkNotFollowed } from '../../compile/load/load.js';
import type { SourceDocument } from '../../compile/load/yaml/yaml.js';
import { observe, type Observation, type ObserveInput } from '../../cluster/takeover/observe.js';
import { planOf, type PlannedStep } from '../../cluster/takeover/next-step.js';
import { preflight, removalLines, type Notice } from '../../cluster/takeover/preflight.js';
import type { Saved, Step } from '../../cluster/takeover/state.js';
import { TAKEOVER_STEPS } from '../../cluster/takeover/steps.js';
import { UNDO_STEPS } from '../../cluster/takeover/undo-steps.js';
import { expectedCluster, type ExpectedCluster } from '../cluster/expected.js';
import { Refusal } from '../../cluster/reader/answers.js';
import { withSession, type ClusterChoice } from '../cluster/session.js';
import { compileLoaded, type Rendered } from '../compile/loaded.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import type { ProgramOptions } from '../programs.js';
import { outputFolderOf } from '../project.js';
import { hasErrors, refused } from '../report.js';
import { putBackupAside, readBackup } from './backup.js';
import { missingRights } from './rights.js';
import { runSteps, type RunEnd } from './run-steps.js';
import { undoNotices } from './undo-notices.js';

export interface TakeoverOptions extends ProgramOptions {
  readonly dryRun?: boolean;
  /** Id of a step. */
  readonly until?: string;
  readonly undo?: boolean;
  readonly waitForGitops?: boolean;
  readonly backup?: string;
  /** Seconds, as text. */
  readonly timeout: string;
  readonly yes?: boolean;
  readonly context?: string;
  readonly kubectl?: string;
}

/** Everything that is known before the cluster is asked. */
interface Call {
  readonly folder: string;
  readonly options: TakeoverOptions;
  readonly rendered: Rendered;
  /** Of the folder. */
  readonly documents: readonly SourceDocument[];
  readonly choice: ClusterChoice;
  readonly observed: ObserveInput;
  readonly steps: readonly Step[];
  /** Absolute path. */
  readonly backup: string;
  readonly saved: Saved;
}

/** `weft takeover`: the steps from the operator to the output of a folder, or back. */
export async function takeover(folder: string, options: TakeoverOptions, io: Io): Promise<ExitCode> {
  const call = await prepare(folder, options, io);
  if (!('steps' in call)) return refused(call, 'text', io);
  const isReady = await withSession({ ...call.choice, dryRuns: true }, io, ({ client }) => look(client, call, io));
  if (typeof isReady === 'object') return refused([isReady], 'text', io);
  if (!isReady || options.dryRun === true) return isReady === 'nothing' ? EXIT.ok : EXIT.differences;
  if (isReady === 'nothing') return EXIT.ok;
  const changes = options.undo ? 'goes back to the operator' : 'takes over from the operator';
  const choice = { ...call.choice, changes, ...(options.yes !== undefined && { yes: options.yes }) };
  const end = await withSession(choice, io, ({ client }) => act(client, call, io));
  return typeof end === 'object' ? refused([end], 'text', io) : end;
}

function cannotBegin(message: string, help: string): Diagnostic {
  return diagnostic('WEFT0398', { message, help });
}

/** Compiles the folder and reads the backup. */
async function prepare(folder: string, options: TakeoverOptions, io: Io): Promise<Call | readonly Diagnostic[]> {
  const loaded = await loadDocuments(folder, options, io);
  const compiled = await compileLoaded(folder, loaded, io);
  const { result: rendered } = compiled;
  if (rendered === undefined || hasErrors(compiled.diagnostics)) return compiled.diagnostics;
  const expected = await expectedCluster(folder, options, io);
  if (!('name' in expected)) return expected;
  const steps = stepsUntil(options);
  if ('code' in steps) return [steps];
  const { cluster } = rendered.config;
  const root = dirname(outputFolderOf(resolve(io.cwd, folder), io.cwd));
  const backup = options.backup === undefined ? join(root, 'takeover', cluster.name) : resolve(io.cwd, options.backup);
  const link = linkOnTheWay(io.cwd, backup);
  if (link !== undefined) return [linkNotFollowed(relative(io.cwd, link))];
  const isGitOps = options.waitForGitops === true || Object.keys(cluster.spec.gitops).length > 0;
  try {
    return {
      folder,
      options,
      rendered,
      documents: loaded.documents,
      steps,
      backup,
      saved: readBackup(backup, io.env),
      choice: choiceOf(options, expected),
      observed: {
        namespace: cluster.namespace,
        applier: isGitOps ? 'gitops' : 'kubectl',
        isUndo: options.undo === true,
        objects: rendered.objects.map(({ object }) => object),
      },
    };
  } catch (error) {
    return [
      cannotBegin(
        thrownTexts(error).message,
        'move the folder of the backup away, or name one outside of the repository with `--backup`',
      ),
    ];
  }
}

function choiceOf({ context, kubectl }: TakeoverOptions, expected: ExpectedCluster): ClusterChoice {
  return { expected, ...(context !== undefined && { context }), ...(kubectl !== undefined && { kubectl }) };
}

function stepsUntil({ undo, until, timeout }: TakeoverOptions): readonly Step[] | Diagnostic {
  const all: readonly Step[] = undo ? UNDO_STEPS : TAKEOVER_STEPS;
  if (!/^\d+$/.test(timeout)) return cannotBegin('`--timeout` is no number of seconds', 'for instance `--timeout 300`');
  if (until === undefined) return all;
  const index = all.findIndex(({ id }) => id === until);
  if (index >= 0) return all.slice(0, index + 1);
  return cannotBegin(`there is no step \`${until}\` here`, `the steps are ${all.map(({ id }) => id).join(', ')}`);
}

/** Prints what a person should know, and the plan. False: it must not begin; `nothing`: all steps are done. */
async function look(client: ApiClient, call: Call, io: Io): Promise<boolean | 'nothing'> {
  const { observed, options, saved, steps, documents, folder } = call;
  const found = await observe(client, observed, { saved, operator: undefined, compares: !observed.isUndo });
  const notices = observed.isUndo ? undoNotices(found.state, documents, folder) : takeoverNotices(found, call);
  print(io, notices.flatMap(noticeLines));
  const missing = observed.isUndo ? [] : await missingRights(client, found.state);
  if (missing.length > 0) {
    throw new Refusal(
      cannotBegin(`rights are missing: ${missing.join(', ')}`, 'ask for them, or name another context'),
    );
  }
  const plan = planOf(steps, found.state);
  const shown = options.dryRun ? plan : plan.map((one) => ({ ...one, lines: [] }));
  print(io, shown.flatMap(planLines));
  if (notices.some(({ level }) => level === 'stop')) return false;
  return plan.every(({ isDone }) => isDone) ? nothingLeft(io) : true;
}

function nothingLeft(io: Io): 'nothing' {
  print(io, ['all steps are done']);
  return 'nothing';
}

/** Once the operator is stopped only what keeps later steps from going on counts. */
function takeoverNotices({ state, deployments }: Observation, { rendered }: Call): readonly Notice[] {
  const { driver, release } = rendered.config.cluster.spec;
  return preflight({ state, deployments, gate: driver.gate, ...(release !== undefined && { release }) });
}

function noticeLines({ level, message, lines = [] }: Notice): readonly string[] {
  return [`${level === 'stop' ? 'stop: ' : ''}${message}`, ...lines.map((line) => `  ${line}`)];
}

const SHOWN_COMMANDS = 5;

function planLines({ step, isDone, lines }: PlannedStep): readonly string[] {
  const shown = lines.slice(0, SHOWN_COMMANDS).map((line) => `  ${line}`);
  const more = lines.length - shown.length;
  return [
    `${isDone ? 'done' : 'to do'}: ${step.id}: ${step.what}`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function print(io: Io, lines: readonly string[]): void {
  io.stdout(lines.map((line) => `${escapeLine(line)}\n`).join(''));
}

async function act(client: ApiClient, call: Call, io: Io): Promise<ExitCode> {
  const { observed, options, steps, saved, backup } = call;
  const end = await runSteps({
    client,
    observed,
    steps,
    saved,
    backup,
    timeoutMs: Number(options.timeout) * 1000,
    tell: (line) => print(io, [line]),
  });
  return end.kind === 'done' ? finish(end.last, call, io) : stopped(end, call, io);
}

function stopped({ step, reason }: Extract<RunEnd, { kind: 'stopped' }>, call: Call, io: Io): ExitCode {
  const { options } = call;
  const folder = shellWord(call.folder);
  const again = `weft takeover ${folder}${options.undo ? ' --undo' : ''}`;
  const back = options.undo ? [] : [`to go back: weft takeover ${folder} --undo`];
  print(io, [`stopped at ${step.id}: ${reason}`, `when it is repaired: ${again}`, ...back]);
  return EXIT.differences;
}

/** What is left for a person. */
function finish({ state }: Observation, { options, backup, folder }: Call, io: Io): ExitCode {
  if (options.until !== undefined) {
    print(io, [
      `done until ${options.until}; to go on: weft takeover ${shellWord(folder)}${options.undo ? ' --undo' : ''}`,
    ]);
  } else if (options.undo) {
    const aside = putBackupAside(backup);
    print(io, [
      'the operator runs with its custom resources, and takes its objects back',
      ...(aside === undefined ? [] : [`the backup is in ${relative(io.cwd, aside)}, until another takeover is undone`]),
    ]);
  } else {
    const owners = state.operator.owners.flatMap((owner) => removalLines(owner, state));
    print(io, [
      `taken over; what was deleted is in ${relative(io.cwd, backup)}: keep it as long as you may go back`,
      ...(owners.length > 0
        ? ['what is left of the operator, when you are sure:', ...owners.map((line) => `  ${line}`)]
        : []),
    ]);
  }
  return EXIT.ok;
}
