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
  PAUSED_ANNOTATION,
  PRE_PULL_DIGEST_LABEL,
  PRE_PULL_LABEL,
  REVISION_LABEL,
  SRIOV_DRAIN_KEYS,
  SRIOV_LABEL_PREFIX,
  type DriverKeys,
} from '../../src/shared/contract/labels.js';
import { OUTCOMES } from '../../src/shared/contract/outcomes.js';
import type { NodeState } from '../../src/shared/contract/node-states.js';
import { runContinues, WAIT_KINDS, waitKind, type WaitKind } from '../../src/companion/model/wait-kinds.js';
import { renderStateDiagram, renderStateTable } from './state-diagram.js';
import { TRANSITIONS } from '../../src/companion/core/flow/transitions.js';
import { noMeasurements, renderMetrics } from '../../src/companion/runtime/report/metrics.js';

import { codeList, GENERATED, table } from './markdown.js';
import type { Page } from './pages.js';

/** The states of nodes that the Maintenance Operator drains. */
const OF_MAINTENANCE = [
  'node-maintenance-required',
  'post-maintenance-required',
] as const satisfies readonly NodeState[];

/** The flow of a node, from the table that the companion runs. */
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
      '# States of a node',
      `The value of the label \`${keyFor('state')}\`. States and their order are those of the operators; see [the ` +
        'companion](../guide/companion.md) for their purpose.',
      `\`\`\`mermaid\n${renderStateDiagram(TRANSITIONS).trimEnd()}\n\`\`\``,
      `The companion takes nodes to ${codeList(OF_MAINTENANCE)} with \`upgrade.drainer: MaintenanceOperator\` alone. Where it drains by itself, ` +
        'nodes in these states belong to another program, and the companion does not change them.',
      '## Transitions',
      "The first row of the node's state whose guards in *when* are all true, and those in *unless* all false, is taken. *Then* is " +
        'what is done; several rows taken at one time are one patch of the node. *Upstream*: `no` marks rows that ' +
        'k8s-operator-libs, the library of the operators, does not have.',
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
    meaning: 'the state of the node in [the flow](companion-states.md)',
  },
  wanted: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning:
      'the install digest of the driver that the upgrade in progress, or the failed one, is for; start times of the upgrade to another ' +
      'driver do not count, and a failed node is tried again when another driver is wanted',
  },
  restartsBefore: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'UID and restarts of its driver pod when its upgrade began; only later restarts count',
  },
  cordonLifted: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'how often its cordon was lifted in this upgrade; after three times the node fails the next time',
  },
  before: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'JSON: the resources and gated pods that the node had before its upgrade, for the validation after it',
  },
  prePullStart: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'Unix seconds: the wait for the image of the new driver began',
  },
  skip: { on: 'label of a node', writer: 'you', meaning: '`true`: no upgrade of the node begins' },
  skipDrain: { on: 'label of a pod', writer: 'you', meaning: '`true`: no drain evicts the pod' },
  safeLoad: {
    on: 'annotation of a node',
    writer: "the driver's init container; the companion removes it",
    meaning: 'not empty: the driver is not loaded before the node was drained',
  },
  initialState: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'the node was cordoned before its upgrade, so it stays cordoned',
  },
  waitStart: { on: 'annotation of a node', writer: 'the companion', meaning: 'Unix seconds: the wait for jobs began' },
  validationStart: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'Unix seconds: the validation began',
  },
  requested: {
    on: 'annotation of a node',
    writer: 'you; the companion removes it when the upgrade begins',
    meaning: '`true`: upgrade the node although its driver is in sync',
  },
  requestorMode: {
    on: 'annotation of a node',
    writer: 'the companion where the Maintenance Operator drains, else an operator in requestor mode',
    meaning:
      'the Maintenance Operator was asked for the node; where the companion drains by itself, it does not change a node of another requestor',
  },
  maintenanceStart: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'Unix seconds: the Maintenance Operator was asked for the node',
  },
  drainStart: { on: 'annotation of a node', writer: 'the companion', meaning: 'Unix seconds: the drain began' },
  podDeletionStart: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: "Unix seconds: the deletion of pods that use the driver's resources began",
  },
  restartStart: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'Unix seconds: the restart of the driver began; `upgrade.driverTimeout` counts from then on',
  },
  cordoned: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: "the cordon is the companion's: `true`, or the time of its taint `node.kubernetes.io/unschedulable`",
  },
  outdated: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: '`true`: the upgrade is for an outdated driver, so it is cancelled if the driver is in sync again',
  },
  done: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'rollout and Unix seconds of the last upgrade; canaries soak from then on',
  },
  failure: { on: 'annotation of a node', writer: 'the companion', meaning: 'why the upgrade failed' },
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
      'the transitions of the node that were made, by their names',
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
      '## Ours',
      'State that the operators keep in memory, or not at all. Removing one is safe: a time-out starts again, a cordon counts as ' +
        "the user's.",
      table(head, rows(isOurs)),
      '## Other keys',
      table(head, otherRows()),
      'A node waits while the label `nvidia.com/<driver>-driver-upgrade-state` of another driver says that its upgrade is in ' +
        'progress.',
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
