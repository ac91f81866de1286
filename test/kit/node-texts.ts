import { decide } from '../../src/companion/decide.js';
import { isComplete, outcomeOf } from '../../src/companion/runtime/run-outcome.js';
import type { Snapshot } from '../../src/companion/model/snapshot.js';
import type { NodeMaintenance, NodeMaintenanceChange } from '../../src/companion/model/node-maintenance.js';
import type { SriovNodeState } from '../../src/companion/model/sriov.js';
import type { Action, PatchNode, SnapshotNode, SnapshotPod } from '../../src/companion/model/types.js';
import { ANY_STATE_LABEL, isInitialState, KEEP_CORDON_ANNOTATION } from '../../src/shared/contract/labels.js';
import {
  MAINTENANCE_ANNOTATION,
  maintenanceRecordText,
  readMaintenanceRecord,
  type MaintenanceRecord,
} from '../../src/shared/contract/maintenance-record.js';
import type { UpgradePolicy } from '../../src/shared/contract/upgrade-policy.js';
import { digestOf } from './digests.js';
import { objectOf, operatorPod, policy as operatorPolicy } from './maintenances.js';
import { afterActions, OTHERS, type Others } from './node-text-others.js';
import { setAt, valueOf } from './policy-settings.js';
import { gpuPod, nodeStateOf, ofed, ownGpu, policyFor, sharedCluster, sriovDriver, weftGpu } from './shared-nodes.js';
import { allKeys, driverPod, node, NOW, pod, withoutController, type SnapshotInput } from './snapshots.js';

/** Decisions about a few nodes as text. `test/node-texts/README.md` has the commands. */

const DRIVERS = { ofed, gpu: ownGpu, 'weft-gpu': weftGpu, 'weft-sriov': sriovDriver } as const;
type DriverName = keyof typeof DRIVERS;
const isDriver = (name: string): name is DriverName => name in DRIVERS;

/** Settings of a driver; all others belong to its `upgradePolicy`. */
const DRIVER_SETTINGS = ['gate', 'controllerPodSelector', 'policies'];

interface State {
  policy: UpgradePolicy;
  nodes: readonly SnapshotNode[];
  pods: readonly SnapshotPod[];
  daemons: ReadonlyMap<string, SriovNodeState>;
  more: Omit<SnapshotInput, 'pods'>;
  /** The Maintenance Operator runs where the policy asks it. */
  hasOperator: boolean;
  minute: number;
}

type Words = readonly string[];

/** A node that is done for OFED and the GPU driver. */
const SPARE = 'spare';

const COMMANDS: Readonly<Record<string, (state: State, words: Words) => Partial<State>>> = {
  drivers: (_, words) => ({ policy: policyOf(words) }),
  'sriov-removed': ({ policy }) => ({
    policy: { ...policy, sriovNodeStates: { namespace: 'sriov', resourcePrefix: 'nvidia.com/' } },
  }),
  'no-daemon-sets': ({ more }) => ({ more: { ...more, daemonSets: [] } }),
  node: ({ nodes }, [name = '', ...words]) => {
    const others = nodes.filter((one) => one.name !== name);
    return { nodes: [...others, nodeOf(node(name), words)] };
  },
  change: ({ nodes }, [name = '', ...words]) => ({
    nodes: nodes.map((one) => (one.name === name ? nodeOf(one, words) : one)),
  }),
  pods: ({ pods }, [name = '', ...words]) => ({
    pods: [
      ...pods.filter(({ nodeName }) => nodeName !== nodeNameOf(name)),
      ...words.map((word) => podOf(nodeNameOf(name), word)),
    ],
  }),
  daemon: ({ daemons }, [name = '', desired = 'Idle', current = 'Idle', syncStatus = 'Succeeded', error = '']) => ({
    daemons: new Map(daemons).set(
      name,
      nodeStateOf(name, { desired, current, syncStatus, lastSyncError: error.replaceAll('_', ' ') }),
    ),
  }),
  refused: ({ more }, [name = '', failures = '']) => ({
    more: {
      ...more,
      refusedPatches: new Map([[name, { message: 'no', failures: Number(failures), untilMs: NOW - 1 }]]),
    },
  }),
  'maintenance-operator': ({ policy, more }, [absent]) => ({
    policy: { ...policy, nodeMaintenance: operatorPolicy.nodeMaintenance },
    more: { ...more, nodeMaintenances: absent === 'no-crd' ? undefined : (more.nodeMaintenances ?? new Map()) },
    hasOperator: absent !== 'no-pod',
  }),
  maintenance: ({ more }, [name = '', phase = '', ...words]) => {
    const one = maintenanceOf(name, phase, words);
    const others = [...(more.nodeMaintenances ?? [])].filter(([key]) => key !== one.name);
    return { more: { ...more, nodeMaintenances: new Map(phase === 'none' ? others : [...others, [one.name, one]]) } };
  },
  'policy-written': ({ more }) => ({ more: { ...more, policyWrittenMs: NOW } }),
  paused: ({ more }) => ({ more: { ...more, paused: true } }),
};

/** `ofed gpu.maxUnavailable=1 rollout.failureBudget=1`: the drivers and their settings. */
function policyOf(words: Words): UpgradePolicy {
  const rollout: Record<string, unknown> = {};
  const drivers: Record<string, { readonly upgrade: Record<string, unknown>; readonly more: Record<string, unknown> }> =
    {};
  for (const word of words) {
    const [path = '', text = ''] = word.split(/=(.*)/s);
    const [of = '', ...keys] = path.split('.');
    if (of !== 'rollout') drivers[of] ??= { upgrade: {}, more: {} };
    const { upgrade = rollout, more = rollout } = drivers[of] ?? {};
    if (keys.length > 0)
      setAt(DRIVER_SETTINGS.includes(keys[0] ?? '') ? more : upgrade, keys, valueOf(text.replaceAll('_', ' ')));
  }
  const inputs = Object.entries(drivers).map(([name, { upgrade, more }]) => {
    if (!isDriver(name)) throw new Error(`no driver ${name}`);
    return { ...DRIVERS[name](upgrade), ...more };
  });
  return policyFor(inputs, rollout);
}

/** The object of a node, which the operator has cordoned from the phase `Draining` on. */
function maintenanceOf(name: string, phase: string, words: Words): NodeMaintenance {
  const isReady = phase === 'Ready';
  return words.reduce<NodeMaintenance>(
    (one, word) => {
      const [key = '', value = ''] = word.split('=');
      if (key === 'requestor') return { ...one, requestor: value };
      if (key === 'with') return { ...one, additionalRequestors: [value] };
      if (key === 'node') return { ...one, node: value };
      if (key === 'no-cordon') return { ...one, hasCordon: false };
      throw new Error(`not a property of a NodeMaintenance: ${word}`);
    },
    objectOf(name, { phase, isReady, hasCordon: isReady || phase === 'Draining' }),
  );
}

/** A node with these words changed. */
function nodeOf(from: SnapshotNode, words: Words): SnapshotNode {
  let changed: SnapshotNode = from;
  for (const word of words) {
    const [name = '', value = ''] = word.split(/=(.*)/s);
    changed = { ...changed, ...nodePart(changed, name, value) };
  }
  return changed;
}

function nodePart({ labels, annotations }: SnapshotNode, name: string, value: string): Partial<SnapshotNode> {
  if (isDriver(name)) return { labels: { ...labels, [allKeys(name).state]: value } };
  switch (name) {
    case 'cordon':
      return { unschedulable: true, ...(value !== '' && { cordonTime: value }) };
    case 'uncordon':
      return { unschedulable: false };
    case 'skip':
      return { labels: { ...labels, [allKeys(value).skip]: 'true' } };
    case 'label': {
      const [key = '', text = ''] = value.split(':');
      return { labels: { ...labels, [key]: text } };
    }
    case 'told':
      return { annotations: { ...annotations, [allKeys(value).initialState]: 'true' } };
    case 'asked':
      return { annotations: { ...annotations, [allKeys(value).requestorMode]: 'true' } };
    case 'safeLoad':
      return { annotations: { ...annotations, [allKeys(value).safeLoad]: 'true' } };
    case 'keep-cordon':
      return { annotations: { ...annotations, [KEEP_CORDON_ANNOTATION]: 'true' } };
    case 'record':
      return { annotations: { ...annotations, [MAINTENANCE_ANNOTATION]: recordText(value) } };
    case 'out':
      return {
        unschedulable: true,
        annotations: { ...annotations, [MAINTENANCE_ANNOTATION]: recordText(value, { cordon: '' }) },
      };
    case 'offers': {
      const [resource = '', count = ''] = value.split(':');
      return { allocatable: { [resource]: count } };
    }
    case 'ready':
      return { ready: value as SnapshotNode['ready'] };
    case 'taint':
      return { taints: [{ key: value, value: '', effect: 'NoSchedule' }] };
    default:
      throw new Error(`not a property of a node: ${name}`);
  }
}

/** The annotation: times are seconds before or after now, and what is wanted is a word. */
function recordText(text: string, begun: MaintenanceRecord = {}): string {
  const given = (text === '' ? {} : JSON.parse(text.replaceAll('_', ' '))) as MaintenanceRecord;
  const { since, restarts, wants, ...record } = { ...begun, ...given };
  const times = (of: Readonly<Record<string, number>> = {}) =>
    Object.fromEntries(Object.entries(of).map(([key, seconds]) => [key, NOW / 1000 + seconds]));
  const digests = Object.entries(wants ?? {}).map(([name, word]): [string, string] => [
    name,
    name === 'ofed' ? digestOf(word) : word,
  ]);
  const all = { ...record, since: times(since), restarts: times(restarts), wants: Object.fromEntries(digests) };
  return maintenanceRecordText(all) ?? '';
}

/** The record of a node, with its times as seconds before or after the first decision. */
function recordOf(one: SnapshotNode | undefined): string {
  const { since, restarts, ...record } = readMaintenanceRecord(one?.annotations[MAINTENANCE_ANNOTATION]) ?? {};
  const times = (of: Readonly<Record<string, number>> = {}) =>
    Object.fromEntries(Object.entries(of).map(([key, seconds]) => [key, seconds - NOW / 1000]));
  return JSON.stringify({
    ...record,
    ...(since && { since: times(since) }),
    ...(restarts && { restarts: times(restarts) }),
  });
}

/** `none`: no node has the pods. */
const nodeNameOf = (name: string) => (name === 'none' ? '' : name);

/** `ofed`, `gpu:old,unready`, or the name of another pod: `training:app=training,nvidia.com/vf`. */
function podOf(on: string, word: string): SnapshotPod {
  const [name = '', list = ''] = word.split(/:(.*)/s);
  const flags = list === '' ? [] : list.split(',');
  const digest = flags.includes('old') ? 'old' : 'new';
  const owned = name === 'ofed' ? driverPod(on, { digest }) : name === 'gpu' ? gpuPod(on, digest) : pod(on, name);
  const made = flags.includes('bare') ? withoutController(owned) : owned;
  return flags.reduce<SnapshotPod>((one, flag) => ({ ...one, ...podPart(one, flag) }), made);
}

function podPart({ labels, containers }: SnapshotPod, flag: string): Partial<SnapshotPod> {
  const [key = '', value] = flag.split('=');
  if (value !== undefined) return key === 'ns' ? { namespace: value } : { labels: { ...labels, [key]: value } };
  if (flag.includes('/')) return { resourceNames: [flag] };
  switch (flag) {
    case 'old':
    case 'bare':
      return {};
    case 'unready':
      return { ready: false, createdMs: NOW - 60_000, containers: containers.map((one) => ({ ...one, ready: false })) };
    case 'failing':
      return { ready: false, containers: containers.map((one) => ({ ...one, ready: false, restarts: 11 })) };
    case 'ending':
      return { deletionMs: NOW - 1000 };
    default:
      throw new Error(`not a property of a pod: ${flag}`);
  }
}

function snapshotOf({ nodes, pods, daemons, more, policy, hasOperator }: State): Snapshot {
  const operator = policy.nodeMaintenance !== undefined && hasOperator ? [operatorPod] : [];
  return sharedCluster({ nodes, pods: [...pods, gpuPod(SPARE, 'new'), ...operator], ...more }, ...daemons.values());
}

/** Decides and carries out once a minute; after that the others do what they do. Ends with what nodes wait for. */
function run(state: State, minutes: number, others: readonly Others[]): readonly [Partial<State>, readonly string[]] {
  const lines: string[] = [];
  let seen = snapshotOf(state);
  const timeOf = (minute: number) => NOW + (state.minute + minute) * 60_000;
  for (let minute = 0; minute < minutes; minute += 1) {
    const decision = decide(seen, state.policy, timeOf(minute));
    const said = decision.actions.flatMap((action) => textOf(action, seen));
    lines.push(...said.map((line) => `${String(state.minute + minute)}m  ${line}`));
    seen = others.reduce((now, one) => one(now, minute), afterActions(seen, decision));
  }
  const { waiting, findings } = decide(seen, state.policy, timeOf(minutes));
  const rest = [
    ...waiting.map(
      ({ node: on, driver, kind, message, refusals = [] }) =>
        `waits  ${on} ${driver} (${kind}${refusals.map((one) => `, ${one.kind} ${one.pod}`).join('')}): ${message}`,
    ),
    ...new Set(findings.map(({ severity, kind, message }) => `${severity}  (${kind}): ${message}`)),
  ];
  const { sriovNodeStates = new Map(), nodeMaintenances } = seen;
  const nodes = seen.nodes.filter(({ name }) => name !== SPARE);
  const pods = [...seen.pods].filter(({ nodeName }) => nodeName !== SPARE);
  const more = { ...state.more, ...(nodeMaintenances && { nodeMaintenances }) };
  return [{ nodes, pods, daemons: sriovNodeStates, more, minute: state.minute + minutes }, [...lines, ...rest]];
}

function textOf(action: Action, seen: Snapshot): readonly string[] {
  switch (action.kind) {
    case 'patchNode':
      return patchText(action, seen);
    case 'evictPod':
      return [`${action.node}: evict ${action.name}`];
    case 'deletePod':
      return [`${action.node}: delete ${action.name}`];
    case 'patchSriovNodeState':
      return [`${action.node}: tell its config daemon ${Object.values(action.annotations).join(' ')}`];
    case 'deleteDaemonSet':
      return [`delete DaemonSet ${action.name}`];
    case 'changeNodeMaintenance':
      return [`${action.node}: ${action.change.kind} NodeMaintenance${changeText(action.change)}`];
  }
}

function changeText(change: NodeMaintenanceChange): string {
  if (change.kind === 'delete') return '';
  if (change.kind !== 'create') return `, of additional requestors: ${change.additionalRequestors.join(' ')}`;
  const { drainSpec, waitForPodCompletion } = change.spec;
  return ` ${JSON.stringify({ waitForPodCompletion, drainSpec })}`;
}

/** What a patch does to the labels, the cordon and what operators read; not what the companion remembers. */
function patchText({ node: on, labels, annotations, unschedulable }: PatchNode, seen: Snapshot): readonly string[] {
  const before = seen.nodes.find(({ name }) => name === on)?.labels ?? {};
  const states = Object.entries(labels).map(([key, value]) => {
    const driver = ANY_STATE_LABEL.exec(key)?.[1] ?? key;
    return `${driver} ${before[key] ?? 'none'} → ${value ?? 'none'}`;
  });
  const cordon = unschedulable === undefined ? [] : [unschedulable ? 'cordon' : 'uncordon'];
  const told = Object.entries(annotations).flatMap(([key, value]) =>
    isInitialState(key) ? [`${key} ${value ?? 'removed'}`] : [],
  );
  const all = [...states, ...cordon, ...told];
  return all.length === 0 || on === SPARE ? [] : [`${on}: ${all.join(', ')}`];
}

const INDENT = '  ';
const RESULT = '      ';

/** A case: its name, and the commands with what follows each `run`. */
export interface NodeCase {
  readonly name: string;
  readonly lines: readonly string[];
}

export function nodeCases(text: string): readonly NodeCase[] {
  const cases: { readonly name: string; readonly lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith(INDENT)) cases.at(-1)?.lines.push(line);
    else cases.push({ name: line, lines: [] });
  }
  return cases;
}

/** What is told of the state between two runs. */
const READERS: Readonly<Record<string, (state: State, name: string) => string>> = {
  record: ({ nodes }, on) => recordOf(nodes.find(({ name }) => name === on)),
  annotations({ nodes }, on) {
    const annotations = nodes.find(({ name }) => name === on)?.annotations ?? {};
    return JSON.stringify(
      annotations,
      Object.keys(annotations).filter((key) => key !== MAINTENANCE_ANNOTATION),
    );
  },
  outcome(state) {
    const decision = decide(snapshotOf(state), state.policy, NOW + state.minute * 60_000);
    if (!isComplete(decision, 'job')) return 'the run continues';
    return `the run ends: ${outcomeOf(decision, { failedInRun: [], inProgress: [] }, 'job').message}`;
  },
};

/** The lines of a case with the present results. */
export function replayed({ lines }: NodeCase): readonly string[] {
  let state: State = {
    policy: policyOf(['ofed', 'gpu']),
    nodes: [],
    pods: [],
    daemons: new Map(),
    more: {},
    hasOperator: true,
    minute: 0,
  };
  return lines.flatMap((line) => {
    if (line.startsWith(RESULT)) return [];
    const [command = '', ...words] = line.trim().split(/\s+/);
    const results: string[] = [];
    if (command === 'run') {
      const [minutes = '', ...others] = words;
      const [changed, said] = run(state, Number.parseInt(minutes, 10), others.map(othersOf));
      state = { ...state, ...changed };
      results.push(...said);
    } else if (command in READERS) results.push(READERS[command]?.(state, words[0] ?? '') ?? '');
    else state = { ...state, ...commandOf(command)(state, words) };
    return [line, ...results.map((one) => RESULT + one)];
  });
}

function othersOf(name: string): Others {
  const found = OTHERS[name];
  if (found === undefined) throw new Error(`nobody does ${name}`);
  return found;
}

function commandOf(name: string) {
  const found = COMMANDS[name];
  if (found === undefined) throw new Error(`no command ${name}`);
  return found;
}

/** The text with the present results. */
export function updatedNodes(text: string): string {
  const comments = text.split('\n').filter((line) => line.startsWith('#'));
  return `${[...comments, ...nodeCases(text).flatMap((one) => [one.name, ...replayed(one)])].join('\n')}\n`;
}
