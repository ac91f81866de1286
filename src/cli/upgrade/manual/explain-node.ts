import { diagnostic } from '../../../shared/diagnostics/codes.js';
import { phaseOf, type NodeState } from '../../../shared/contract/node-states.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import type { DriverPolicy } from '../../../shared/contract/upgrade-policy.js';
import { escapeLine } from '../../../shared/lib/escape.js';
import { isoSecond } from '../../../shared/lib/time.js';
import { TRANSITIONS } from '../../../companion/core/maintenance/table.js';
import type { WaitKind } from '../../../companion/model/wait-kinds.js';
import type { SnapshotNode, Step, Waiting } from '../../../companion/model/types.js';
import { nodesOf } from '../../../companion/participants/participants.js';
import { blockerText } from '../../../companion/runtime/report/log.js';
import { EXIT, type ExitCode, type Io } from '../../io.js';
import { jsonText } from '../../json-text.js';
import { withCluster, type Connection } from '../connect.js';
import { Refusal } from '../../../cluster/reader/answers.js';
import { driverVersions } from '../images.js';
import { statusRows, uncoveredNodes } from '../rows.js';
import { survey, type Survey } from '../survey.js';
import { failedCreates } from './failed-create.js';
import { adviceFor, UNCOVERED_ADVICE } from './advice.js';
import { historyOf, type HistoryEntry, type NodePast } from './history.js';
import { driverOf, type ManualOptions } from './driver.js';

/** A row of the table that may be taken in the phase of the node. */
interface Rule {
  readonly row: string;
  readonly to: string;
  readonly message: string;
}

/** The decisions about one node, and the next steps. */
interface NodeExplanation extends NodePast {
  readonly node: string;
  readonly driver: string;
  readonly from: string;
  readonly to: string;
  readonly state: string;
  readonly cordoned: boolean;
  /** Steps that the companion would take now. */
  readonly nextSteps: readonly Step[];
  readonly waiting: Waiting | null;
  readonly findings: readonly string[];
  readonly rules: readonly Rule[];
  readonly advice: readonly string[];
}

/** `weft upgrade explain NODE`: the decisions about a node, what it waits for, and what a user can do. */
export async function explainNode(name: string, options: ManualOptions, io: Io): Promise<ExitCode> {
  return withCluster(options, io, async (connection) => {
    const found = await survey(connection, options);
    const node = nodeOf(found, name);
    const driver = driverOf(found.policy, options);
    const explained = await explanationOf(connection, found, node, driver);
    io.stdout(options.output === 'json' ? jsonText(explained) : explanationText(explained, driver));
    return explained.state === 'upgrade-failed' ? EXIT.failedNodes : EXIT.ok;
  });
}

function nodeOf({ snapshot }: Survey, name: string): SnapshotNode {
  const node = snapshot.nodes.find((one) => one.name === name);
  if (node !== undefined) return node;
  const help = '`weft upgrade status` lists the nodes';
  throw new Refusal(diagnostic('WEFT0440', { message: `there is no node \`${name}\``, help }));
}

const UNREACHABLE: readonly WaitKind[] = ['unreachable'];

async function explanationOf(
  connection: Connection,
  found: Survey,
  node: SnapshotNode,
  policy: DriverPolicy,
): Promise<NodeExplanation> {
  const { name } = node;
  const { labelPrefix: driver, kind } = policy;
  const { nodes: views } = nodesOf(policy, found.snapshot, found.nowMs, found.policy);
  const isAbout = (one: { readonly node?: string; readonly driver: string }): boolean =>
    one.node === name && one.driver === driver;
  const keys = driverKeys(driver);
  const rows = statusRows(found, await driverVersions(connection.client, found.policy));
  const row = rows.find(isAbout);
  const { actions, findings } = found.decision;
  const waits = found.waiting.find(isAbout);
  // Whatever a node waits for, nothing ends there while its kubelet does not report.
  const kinds = new Set(waits === undefined ? [] : [...(node.ready === 'Unknown' ? UNREACHABLE : []), waits.kind]);
  const state = (node.labels[keys.state] ?? '') as NodeState;
  const { daemonSet } = views.find((one) => one.node === node && one.driverPods.length === 0) ?? {};
  const isUncovered = kind === 'ofed' && uncoveredNodes(found).includes(name);
  return {
    node: name,
    driver,
    from: row?.from ?? '',
    to: row?.to ?? '',
    state,
    cordoned: node.unschedulable,
    ...(await historyOf(connection, node, driver, { keys, nowMs: found.nowMs })),
    nextSteps: actions.flatMap((one) =>
      one.kind === 'patchNode' && one.node === name ? one.steps.filter((step) => step.driver === driver) : [],
    ),
    waiting: waits ?? null,
    findings: [
      ...(isUncovered ? ['it has a NIC, and no driver DaemonSet covers it'] : []),
      ...findings.filter(isAbout).map(({ message }) => message),
      ...(daemonSet === undefined ? [] : await failedCreates(connection, daemonSet)),
    ],
    rules: TRANSITIONS.filter(({ from }) => from.includes(phaseOf(state) ?? 'rest')).map(({ id, to, message }) => ({
      row: id,
      to,
      message,
    })),
    advice: [
      ...(isUncovered ? UNCOVERED_ADVICE : []),
      ...[...kinds].flatMap((kind) => adviceFor(kind, name, driver, found.policy)),
    ],
  };
}

function explanationText(explained: NodeExplanation, policy: DriverPolicy): string {
  const { node, state, cordoned, history, withoutEvents, findings, rules, advice } = explained;
  const lines = [
    `${node}: ${driverText(explained, policy)}, state ${state || '(empty)'}, ${cordoned ? 'cordoned' : 'not cordoned'}`,
    ...findings.map((finding) => `  ${finding}`),
    ...section(
      'What was decided',
      [...history.map(historyLine), ...(withoutEvents === undefined ? [] : [withoutEvents])],
      'no Event and no record: the API server keeps Events for an hour',
    ),
    ...section('What comes next', nextLines(explained), 'nothing: it waits for nothing'),
    ...section(
      'Rules of its phase',
      rules.map(({ row, to: target, message }) => `${row} → ${target}: ${message}`),
      'none',
    ),
    ...section('What you can do', advice, 'nothing has to be done'),
  ];
  return lines.map((line) => `${escapeLine(line)}\n`).join('');
}

/** A config daemon sets up virtual functions, and no driver pod. */
function driverText({ driver, from, to }: NodeExplanation, { kind }: DriverPolicy): string {
  if (kind === 'sriov') return `virtual functions (${driver})`;
  const versions = to === '' || from === to ? from || 'no driver pod' : `${from || 'no driver pod'} → ${to}`;
  return `${driver} driver ${versions}`;
}

function section(title: string, lines: readonly string[], none: string): readonly string[] {
  return ['', title, ...(lines.length === 0 ? [none] : lines).map((line) => `  ${line}`)];
}

function historyLine({ timeMs, rows, message, count }: HistoryEntry): string {
  const by = rows.length === 0 ? '' : `[${rows.join(', ')}] `;
  return `${timeText(timeMs)}  ${by}${message}${count > 1 ? ` (${count} times)` : ''}`;
}

function nextLines({ nextSteps, waiting }: NodeExplanation): readonly string[] {
  const steps = nextSteps.map(({ row, to, message }) => `[${row}] ${message} → ${to || '(empty)'}`);
  if (waiting === null) return steps;
  const { kind, message, sinceMs, untilMs, blockers } = waiting;
  const since = sinceMs === undefined ? '' : `, since ${timeText(sinceMs)}`;
  const until = untilMs === undefined ? '' : `, until ${timeText(untilMs)} at the latest`;
  return [
    ...steps,
    `it waits (${kind}): ${message}${since}${until}`,
    ...blockers.map(
      (one) => `  ${blockerText(one)}${one.retryMs === undefined ? '' : `, tried again at ${timeText(one.retryMs)}`}`,
    ),
  ];
}

function timeText(ms: number): string {
  return isoSecond(ms).replace('T', ' ');
}
