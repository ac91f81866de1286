import {
  COMPANION_COMPONENT,
  COMPANION_NAMES,
  COMPONENT_LABEL,
  companionPrefix,
  driverKeys,
  DS_OWNER_LABEL,
  EVENT_ROWS_ANNOTATION,
  GPU_LABEL_PREFIX,
  GPU_UPGRADE_ENABLED_ANNOTATION,
  INSTALL_DIGEST_ANNOTATION,
  OFED_GATE_LABEL,
  OFED_LABEL_PREFIX,
  AUTOSCALER_ANNOTATIONS,
  KEEP_CORDON_ANNOTATION,
  IGNORE_WINDOWS_ANNOTATION,
  PAUSED_ANNOTATION,
  PRE_PULL_DIGEST_LABEL,
  PRE_PULL_LABEL,
  REVISION_LABEL,
  SRIOV_DRAIN_KEYS,
  SRIOV_LABEL_PREFIX,
  type DriverKeys,
} from '../../src/shared/contract/labels.js';
import { legacyKeys } from '../../src/shared/contract/legacy-keys.js';
import { MAINTENANCE_ANNOTATION, type MaintenanceRecord } from '../../src/shared/contract/maintenance-record.js';
import { OUTCOMES } from '../../src/shared/contract/outcomes.js';
import { NODE_STATES, phaseOf, type NodeState } from '../../src/shared/contract/node-states.js';
import { groupBy } from '../../src/shared/lib/group-by.js';
import { runContinues, WAIT_KINDS, waitKind, type WaitKind } from '../../src/companion/model/wait-kinds.js';
import { renderStateDiagram, renderStateTable } from './state-diagram.js';
import { TRANSITIONS } from '../../src/companion/core/maintenance/table.js';
import { noMeasurements, renderMetrics } from '../../src/companion/runtime/report/metrics.js';

import { codeList, GENERATED, table } from './markdown.js';
import type { Page } from './pages.js';

/** The states of nodes that the Maintenance Operator drains. */
const OF_MAINTENANCE = [
  'node-maintenance-required',
  'post-maintenance-required',
] as const satisfies readonly NodeState[];

/** The values of the state label in each phase. */
const LABELS = groupBy([...NODE_STATES], (state) => phaseOf(state) ?? '');

/** The maintenance of a node, from the table that the companion runs. */
function statesPage(): Page {
  const waits = (Object.keys(WAIT_KINDS) as WaitKind[]).map((kind) => [
    `\`${kind}\``,
    waitKind(kind).waitsFor,
    runContinues(kind, 'cronjob') ? 'yes' : runContinues(kind, 'job') ? 'of a Job' : 'no',
  ]);
  const outcomes = Object.entries(OUTCOMES).map(([reason, { exitCode, meaning }]) => [
    `\`${reason}\``,
    String(exitCode),
    meaning,
  ]);
  return {
    path: 'docs/reference/companion-states.md',
    text: joined(
      '# The maintenance of a node',
      'All drivers that take part in [the maintenance of a node](../guide/participants.md) share its phase. It is read from the label ' +
        `\`${keyFor('state')}\` of each: the earliest of those that are in progress. The values of the label and their order are those of ` +
        'the operators.',
      table(
        ['phase', 'state label'],
        [...LABELS].map(([phase, states]) => [
          phase,
          states.map((state) => (state === '' ? 'none' : `\`${state}\``)).join(', '),
        ]),
      ),
      `\`\`\`mermaid\n${renderStateDiagram(TRANSITIONS).trimEnd()}\n\`\`\``,
      `The companion takes nodes to ${codeList(OF_MAINTENANCE)} with \`upgrade.drainer: MaintenanceOperator\` alone. Where it drains by itself, ` +
        'nodes in these states belong to another program, and the companion does not change them.',
      '## Transitions',
      "The first row of the node's phase that holds is taken. Several rows taken at one time are one patch of the node. *Upstream*: `no` " +
        'marks rows that k8s-operator-libs, the library of the operators, does not have.',
      renderStateTable(TRANSITIONS).trimEnd(),
      '## What a node waits for',
      '*Continues*: a run does not end while a node has this wait. After a run that ended, the CronJob starts the next one.',
      table(['wait', 'for', 'continues'], waits),
      '## How a run ends',
      table(['reason', 'exit code', 'meaning'], outcomes),
    ),
  };
}

/** The metrics, from what the companion exposes before its first decision. */
function metricsPage(): Page {
  const lines = renderMetrics({ counts: [], waiting: [] }, noMeasurements());
  const rows = [...lines.matchAll(/^# HELP (\S+) (.*)\.\n# TYPE \S+ (\S+)$/gm)].map(
    ([, name = '', help = '', type = '']) => [`\`${name}\``, type, help],
  );
  return {
    path: 'docs/reference/companion-metrics.md',
    text: joined(
      '# Metrics of the companion',
      'At `/metrics` of the port `metrics` (8080) of its pod, in the text format of Prometheus. The names `gpu_operator_…` and their meanings are those of ' +
        'the GPU operator; the label `driver` distinguishes them.',
      'Labels: `driver` is the name of the driver, such as `ofed`; `pool` is the policy, whose nodes share a budget; `for` is [what a node waits ' +
        'for](companion-states.md#what-a-node-waits-for); `state` is [the state](companion-states.md) that nodes left.',
      table(['metric', 'type', 'meaning'], rows),
    ),
  };
}

interface KeyMeaning {
  readonly on: 'label of a node' | 'annotation of a node' | 'label of a pod';
  readonly writer: string;
  readonly meaning: string;
}

const KEYS: Readonly<Record<keyof DriverKeys, KeyMeaning>> = {
  state: {
    on: 'label of a node',
    writer: 'the companion; you, to try a failed node again: `upgrade-required`',
    meaning: 'the state of the driver in [the maintenance of the node](companion-states.md)',
  },
  skip: { on: 'label of a node', writer: 'you', meaning: '`true`: no maintenance of the node begins for this driver' },
  skipDrain: { on: 'label of a pod', writer: 'you', meaning: '`true`: no drain evicts the pod' },
  safeLoad: {
    on: 'annotation of a node',
    writer: "the driver's init container; the companion removes it",
    meaning: 'not empty: the driver is not loaded before the node was drained',
  },
  initialState: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'the node was cordoned before its maintenance, so it stays cordoned',
  },
  requested: {
    on: 'annotation of a node',
    writer: 'you; the companion removes it when the maintenance begins',
    meaning: '`true`: a maintenance is due although the driver is in sync',
  },
  requestorMode: {
    on: 'annotation of a node',
    writer: 'the companion where the Maintenance Operator drains, else an operator in requestor mode',
    meaning:
      'the Maintenance Operator was asked for the node; where the companion drains by itself, it does not change a node of another requestor',
  },
  done: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'rollout and Unix seconds of the last maintenance; canaries soak from then on',
  },
};

/** The fields of the record that a maintenance keeps on its node. */
const RECORD: Readonly<Record<keyof MaintenanceRecord, string>> = {
  since: 'Unix seconds since when the node is in a state, for time limits',
  restarts: 'Unix seconds since when the restart of a driver may go on, for `upgrade.driverTimeout`',
  wants:
    'what each driver is to get: an install digest or a generation; times of the upgrade to another driver do not count, and a failed node is tried again when ' +
    'another driver is desired',
  due: 'the drivers that the companion found outdated, so that it can take that back',
  cordon:
    "the cordon is the companion's: the time of the taint `node.kubernetes.io/unschedulable`, or empty until it has one",
  protected: 'annotations for autoscalers that the companion set, and removes with the maintenance',
  lifted: 'how often the cordon was lifted; after three times the node fails the next time',
  before: 'resources and gated pods of the node before its maintenance, for the validation after it',
  restartsBefore: 'UID and restarts of a driver pod when the maintenance began; only later restarts count',
  prePull: 'Unix seconds since when the node waits for the image of the new driver',
  failure: 'why the maintenance failed',
  refusals: 'the pods for which it failed, where its drain was refused, and why: at most ten',
  blocked:
    'its drain was blocked, and it was given back: how often it was begun again after that, at most three times, and UIDs of pods that stayed for ' +
    'another reason than a budget',
};

const COMPANION_PREFIX = companionPrefix(GPU_LABEL_PREFIX);
const SRIOV = companionPrefix(SRIOV_LABEL_PREFIX);

function operatorRows(): string[][] {
  const { state, initialState, skip, skipDrain, requested } = driverKeys(GPU_LABEL_PREFIX);
  return [
    [
      `\`${state}\``,
      'label of a node',
      'the GPU operator; you, to try a failed node again: `upgrade-required`',
      'the companion only reads it: whether the node is due, done or failed',
    ],
    [
      `\`${initialState}\``,
      'annotation of a node',
      'the companion, with its cordon; the GPU operator removes it',
      'the GPU operator leaves the cordon when it is done',
    ],
    [
      `\`${skip}\``,
      'label of a node',
      'you',
      '`true`: neither the GPU operator nor the companion begins with the node',
    ],
    [`\`${skipDrain}\``, 'label of a pod', 'you', '`true`: no drain evicts the pod'],
    [
      `\`${requested}\``,
      'annotation of a node',
      'you; the GPU operator removes it',
      '`true`: the GPU operator makes the node due although its driver is in sync',
    ],
  ];
}

function otherRows(): string[][] {
  return [
    [
      `\`${OFED_GATE_LABEL}\``,
      'label of a node',
      'the companion, with `gate: label`',
      '`"false"`: the driver is loaded',
    ],
    [`\`${DS_OWNER_LABEL}\``, 'label of a driver DaemonSet and its pods', 'Weft', 'the policy that they belong to'],
    [`\`${REVISION_LABEL}\``, 'label of a pod', 'Kubernetes', 'names the revision of the pod'],
    [`\`${INSTALL_DIGEST_ANNOTATION}\``, 'annotation of a driver DaemonSet', 'Weft', 'hash of what it installs'],
    [
      `\`${GPU_UPGRADE_ENABLED_ANNOTATION}\``,
      'annotation of a node',
      'the companion, where it upgrades the GPU driver; else the GPU operator',
      '`true`: k8s-driver-manager evicts, drains and uncordons nothing by itself',
    ],
    [
      `\`${PAUSED_ANNOTATION}\``,
      `annotation of the ConfigMap \`${COMPANION_NAMES.statusConfigMap}\``,
      'you',
      'any value but `false`: no upgrade begins',
    ],
    [
      `\`${IGNORE_WINDOWS_ANNOTATION}\``,
      `annotation of the ConfigMap \`${COMPANION_NAMES.statusConfigMap}\``,
      'you, or `weft upgrade run --now`',
      'a time such as `2026-12-04T22:00:00Z`: until then upgrades begin outside of maintenance windows',
    ],
    [
      codeList(AUTOSCALER_ANNOTATIONS),
      'annotations of a node',
      'the companion, with its cordon; it removes those that it set',
      '`true`: an autoscaler does not remove the node',
    ],
    [
      `\`${KEEP_CORDON_ANNOTATION}\``,
      'annotation of a node',
      'you, by `weft upgrade skip --keep-cordoned`',
      '`true`: the node stays cordoned at the end of its maintenance',
    ],
    [
      `\`${COMPONENT_LABEL}\``,
      "label of the companion's objects, and of the Jobs and pods of its CronJob",
      'Weft',
      `\`${COMPANION_COMPONENT}\`: finds them`,
    ],
    [
      `\`${PRE_PULL_LABEL}\``,
      'label of a pod that pulls the coming image',
      'Weft, with `upgrade.prePull`',
      'the name of the driver, such as `ofed`',
    ],
    [
      `\`${PRE_PULL_DIGEST_LABEL}\``,
      'label of such a pod',
      'Weft, with `upgrade.prePull`',
      'the install digest of the DaemonSet whose image it pulls',
    ],
    [
      `\`${EVENT_ROWS_ANNOTATION}\``,
      'annotation of an Event',
      'the companion',
      '[the rows](companion-states.md#transitions) that were taken, by their names',
    ],
    [
      '`maintenance.nvidia.com/garbage-collector.ignore`',
      'annotation of a NodeMaintenance of the companion',
      'the companion, with `upgrade.drainer: MaintenanceOperator`',
      '`true`: the operator does not delete the object after a time',
    ],
  ];
}

function labelsPage(): Page {
  const rows = (whose: (key: string) => boolean) =>
    (Object.keys(KEYS) as (keyof DriverKeys)[])
      .filter((name) => whose(keyFor(name)))
      .map((name) => [`\`${keyFor(name)}\``, KEYS[name].on, KEYS[name].writer, KEYS[name].meaning]);
  const isOurs = (key: string) => key.startsWith('weft.dev/');
  const sriov = driverKeys(SRIOV);
  const head = ['key', 'what', 'who writes it', 'meaning'];
  return {
    path: 'docs/reference/companion-labels.md',
    text: joined(
      '# Labels and annotations of the companion',
      `The companion keeps its state on the nodes. \`${OFED_LABEL_PREFIX}\` stands for the OFED driver; another driver has ` +
        'its own name in the same places, such as `gpu`.',
      "## The operators'",
      'The same keys and values, so that either program can continue the upgrades of the other.',
      table(
        head,
        rows((key) => !isOurs(key)),
      ),
      '## Of a GPU driver that the GPU operator restarts',
      `The companion's own flow has the keys above and below with \`${COMPANION_PREFIX}\` in the place of \`${OFED_LABEL_PREFIX}\`, such as ` +
        `\`${driverKeys(COMPANION_PREFIX).state}\`. Of the operator's keys it has these:`,
      table(head, operatorRows()),
      '## Of virtual functions',
      `The companion's own flow has the keys above and below with \`${SRIOV}\` in the place of \`${OFED_LABEL_PREFIX}\`, such as ` +
        `\`${driverKeys(SRIOV).state}\`. Three have the name without \`weft-\`, which people and other programs know: ` +
        `${codeList([sriov.skip, sriov.skipDrain, sriov.requestorMode])}. \`${sriov.requested}\` is not read: the config daemon says ` +
        'which nodes are due. Annotations of the SriovNetworkNodeState of a node:',
      table(head, sriovRows()),
      "## The companion's",
      table(head, rows(isOurs)),
      `What no label says is one annotation of the node, \`${MAINTENANCE_ANNOTATION}\`, while its maintenance lasts, also a failed one. Its value is JSON ` +
        "with the fields below. You may remove it: time limits start again, and the cordon of a node at rest counts as the user's.",
      table(
        ['field', 'meaning'],
        Object.entries(RECORD).map(([field, meaning]) => [`\`${field}\``, meaning]),
      ),
      `Older versions of the companion wrote an annotation for each of these and for each driver. The companion goes on with them: its first change of a ` +
        `node removes them and writes the record. They are: ${codeList(Object.values(legacyKeys(OFED_LABEL_PREFIX)))}.`,
      '## Other keys',
      table(head, otherRows()),
      'While the label `nvidia.com/<driver>-driver-upgrade-state` of a driver that the policy does not have says that its upgrade is in progress, no ' +
        'maintenance of the node begins, and its cordon stays.',
    ),
  };
}

function sriovRows(): string[][] {
  const { desired, current, external } = SRIOV_DRAIN_KEYS;
  const what = 'annotation of a SriovNetworkNodeState';
  const daemon = 'the config daemon of the node';
  return [
    [`\`${external}\``, what, daemon, '`true`: the companion drains the node; others are left to the SR-IOV operator'],
    [
      `\`${desired}\``,
      what,
      `${daemon}; the companion, where it is missing: \`Idle\``,
      'what is asked: `Idle`, `Drain_Required`, `Reboot_Required`',
    ],
    [`\`${current}\``, what, 'the companion', 'the answer: `Idle`, `Draining`, `DrainComplete`'],
  ];
}

/** The pages that are generated from the companion's sources. */
export function companionPages(): readonly Page[] {
  return [statesPage(), labelsPage(), metricsPage()];
}

function keyFor(name: keyof DriverKeys): string {
  return driverKeys(OFED_LABEL_PREFIX)[name];
}

function joined(title: string, ...parts: readonly string[]): string {
  return `${[title, GENERATED, ...parts].join('\n\n')}\n`;
}
