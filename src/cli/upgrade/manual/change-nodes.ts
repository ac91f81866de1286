import { diagnostic } from '../../../shared/diagnostics/codes.js';
import type { DriverKeys } from '../../../shared/contract/labels.js';
import type { DriverPolicy, UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { escapeLine } from '../../../shared/lib/escape.js';
import { createLimit } from '../../../companion/runtime/timing/limit.js';
import type { SnapshotNode } from '../../../companion/model/types.js';
import { EXIT, type ExitCode, type Io } from '../../io.js';
import { jsonText } from '../../json-text.js';
import { currentPolicy, withCluster, type Connection } from '../connect.js';
import { noAnswer, Refusal, valueOf } from '../../../cluster/reader/answers.js';
import { refuseControlled } from './controller.js';
import { finishRetry, type RetryEnd } from './failed-jobs.js';
import {
  commandKeys,
  NODE_CHANGES,
  type ChangeOptions,
  type CommandKeys,
  type NodeChange,
  type NodeVerb,
} from './node-changes.js';
import { driverOf, type ManualOptions } from './driver.js';
import { targetsOf } from './targets.js';
import { whoActs, type WhoActs } from './who-acts.js';

export interface NodeOptions extends ManualOptions, ChangeOptions {
  readonly selector?: string;
  /** `retry`: whether the command waits until the nodes are done. */
  readonly wait?: boolean;
}

/** The result for one node. */
interface ChangedNode {
  readonly node: string;
  readonly state: string;
  readonly changed: boolean;
  readonly did: string;
  readonly next: string;
}

/** `weft upgrade retry|skip|unskip|request`. */
export async function changeNodes(
  verb: NodeVerb,
  patterns: readonly string[],
  options: NodeOptions,
  io: Io,
): Promise<ExitCode> {
  return withCluster(options, io, (connection) => changeIn(connection, verb, patterns, options, io), CHANGES[verb]);
}

async function changeIn(
  connection: Connection,
  verb: NodeVerb,
  patterns: readonly string[],
  options: NodeOptions,
  io: Io,
): Promise<ExitCode> {
  const { policy } = await currentPolicy(connection, options);
  const nodes = await nodesFor(verb, connection, patterns, options);
  const driver = driverFor(policy, nodes, options);
  if (verb === 'request' && driver?.kind === 'sriov') throw new Refusal(noRequest(driver));
  const setsUpgrade = verb === 'retry' || verb === 'request';
  if (setsUpgrade && driver !== undefined && nodes.length > 0) await refuseControlled(connection, policy, driver);
  const drivers = policy.drivers.map(({ labelPrefix }) => commandKeys(labelPrefix, policy.drivers));
  const keys = driver && commandKeys(driver.labelPrefix, policy.drivers);
  const done = keys === undefined ? [] : await changeEach(connection, verb, nodes, keys, options);
  const acts = await whoActs(connection, options.namespace, Date.now());
  if (options.output !== 'json') io.stdout(changesText(done, acts));
  const scope = { drivers, retried: { keys, names: nodes.map(({ name }) => name) } };
  const end = verb === 'retry' ? await finishRetry(connection, scope, acts, options, io) : undefined;
  if (options.output === 'json') io.stdout(changesJson(verb, driver, done, acts, end));
  if (end?.failed === true) return EXIT.failedNodes;
  return done.some(({ refused }) => refused) || end?.left === true ? EXIT.differences : EXIT.ok;
}

/** The driver of the nodes; undefined where no node is changed, and the call names no driver. */
function driverFor(
  policy: UpgradePolicy,
  nodes: readonly SnapshotNode[],
  options: NodeOptions,
): DriverPolicy | undefined {
  const isForAll = nodes.length === 0 && options.driver === undefined && policy.drivers.length > 1;
  return isForAll ? undefined : driverOf(policy, options);
}

function changeEach(
  connection: Connection,
  verb: NodeVerb,
  nodes: readonly SnapshotNode[],
  keys: CommandKeys,
  options: ChangeOptions,
) {
  const atOnce = createLimit(WRITES_AT_ONCE);
  return Promise.all(nodes.map((node) => atOnce(() => changeNode(connection, verb, node, keys, options))));
}

const CHANGES: Readonly<Record<NodeVerb, string>> = {
  retry: 'sets nodes back to the beginning of their upgrade',
  skip: 'leaves nodes out of upgrades',
  unskip: 'lets nodes be upgraded again',
  request: 'asks for upgrades of nodes',
};
const WRITES_AT_ONCE = 8;
const ATTEMPTS = 5;

/** A node gets its virtual functions from policies: nothing would act on a request for them. */
function noRequest({ labelPrefix }: DriverPolicy): Refusal['diagnostic'] {
  return diagnostic('WEFT0441', {
    message: `\`${labelPrefix}\` takes no request: the SR-IOV config daemon of a node asks for its maintenance itself`,
    help: 'change a SriovNetworkNodePolicy, or name another driver with `--driver`',
  });
}

/** `retry` without nodes only deletes failed Jobs; the other commands need a node or a selector. */
async function nodesFor(
  verb: NodeVerb,
  { port }: Connection,
  patterns: readonly string[],
  { selector }: NodeOptions,
): Promise<readonly SnapshotNode[]> {
  if (patterns.length === 0 && selector === undefined) {
    if (verb === 'retry') return [];
    throw new Refusal(noNode('no node is named'));
  }
  const { items } = valueOf(await port.list('nodes'));
  const targets = targetsOf(items, { patterns, ...(selector !== undefined && { selector }) });
  if (targets.kind === 'error') throw new Refusal(noNode(targets.message));
  return targets.nodes;
}

function noNode(message: string): Refusal['diagnostic'] {
  const help =
    "name nodes, or globs such as 'gpu-*' in quotes, or select by labels with `-l`; `weft upgrade status` lists them";
  return diagnostic('WEFT0440', { message, help });
}

async function changeNode(
  { port }: Connection,
  verb: NodeVerb,
  listed: SnapshotNode,
  keys: CommandKeys,
  options: ChangeOptions,
): Promise<ChangedNode & { readonly refused: boolean }> {
  let node = listed;
  for (let attempt = 1; ; attempt++) {
    const change = NODE_CHANGES[verb](node, keys, options);
    if (change.labels === undefined && change.annotations === undefined) return result(node, keys, change, false);
    const { name, uid, resourceVersion } = node;
    const patch = { labels: change.labels ?? {}, annotations: change.annotations ?? {}, steps: [] };
    const answer = await port.patchNode({ kind: 'patchNode', driver: '', node: name, uid, resourceVersion, ...patch });
    if (answer.kind === 'ok') return result(answer.value, keys, change, true);
    if (answer.kind !== 'conflict' || attempt === ATTEMPTS) throw new Refusal(noAnswer(answer));
    // The kubelet and the companion often update nodes, so a conflict is retried.
    node = valueOf(await port.getNode(name));
  }
}

function result(
  { name, labels }: SnapshotNode,
  keys: DriverKeys,
  { did, next, isRefused = false }: NodeChange,
  changed: boolean,
): ChangedNode & { readonly refused: boolean } {
  return { node: name, state: labels[keys.state] ?? '', changed, refused: isRefused, did, next };
}

function changesText(done: readonly ChangedNode[], { message }: WhoActs): string {
  const lines = done.flatMap(({ node, did, next }) => [`${node}: ${did}`, `  next: ${next}`]);
  const changed = done.some((one) => one.changed);
  return [...lines, ...(changed ? [message] : [])].map((line) => `${escapeLine(line)}\n`).join('');
}

function changesJson(
  verb: NodeVerb,
  driver: DriverPolicy | undefined,
  nodes: readonly ChangedNode[],
  acts: WhoActs,
  end: RetryEnd | undefined,
): string {
  const labelPrefix = driver?.labelPrefix ?? null;
  const document = { command: verb, driver: labelPrefix, nodes, acts, ...(end !== undefined && { jobs: end.jobs }) };
  return jsonText(document);
}
