import {
  COMPANION_NAMES,
  driverKeys,
  DS_OWNER_LABEL,
  INSTALL_DIGEST_ANNOTATION,
  OFED_GATE_LABEL,
  OFED_LABEL_PREFIX,
  PAUSED_ANNOTATION,
  REVISION_LABEL,
  type DriverKeys,
} from '../../src/contract/labels.js';
import { EXIT_CODES, type OutcomeReason } from '../../src/upgrade/runtime/run-outcome.js';
import { KEEPS_RUNNING, NODE_STATES } from '../../src/upgrade/model/node-states.js';
import { renderStateDiagram, renderStateTable } from '../../src/upgrade/flow/state-diagram.js';
import { TRANSITIONS } from '../../src/upgrade/flow/transitions.js';
import type { WaitKind } from '../../src/upgrade/model/types.js';
import { codeList, GENERATED, table } from './markdown.js';
import type { Page } from './pages.js';

const WAITS: Readonly<Record<WaitKind, string>> = {
  jobs: 'pods of jobs that the policy says to wait for',
  evictions: 'pods that have to leave, and the budgets that keep them',
  termination: 'pods that are ending',
  'driver-pod': 'the new driver pod',
  validation: 'the resources and pods of the validation',
  'cache-sync': 'the caches, to show a write, or a pod that was bound just before the cordon',
  'daemon-set': 'GitOps, to apply the DaemonSet of the policy, or its controller, to see it',
  policy:
    'GitOps, to apply the policy that lists a newer DaemonSet of the driver, or the user, to delete that DaemonSet',
  image: 'the image of the coming driver, which `upgrade.prePull` pulls before the node begins',
  slot: 'one of the nodes in progress',
  canary: 'the canaries in progress',
  'canary-missing':
    'the user, to repair a canary or to change the selector of the canaries: none of them is in progress',
  topology: 'the nodes of another topology domain',
  room: 'evicted pods, to find nodes',
  'other-driver': 'the upgrade of another driver on the same node',
  unreachable: 'the kubelet of the node, which does not report',
  unavailable: 'nodes that are cordoned or not ready for other reasons, and use up the budget',
  window: 'the next maintenance window',
  soak: 'the soak of the canaries',
  pause: 'the user, to end the pause',
  skip: 'the user, to remove the skip label',
  halt: 'the user, to repair the failed nodes: the failure budget is spent',
  failed: 'the user, to repair the node',
  'foreign-flow': 'the operator, the maintenance operator, or the author of an unknown state',
  orphan: 'the user, to request an upgrade: no DaemonSet would create this driver pod again',
  off: 'a policy with `autoUpgrade: true`',
};

const OUTCOMES: Readonly<Record<OutcomeReason, string>> = {
  done: 'every node is done or skipped',
  waiting: 'what is left waits for a window, a soak or a person',
  refused: 'a controller that owns the driver runs, so nothing is touched',
  superseded: 'a newer policy is in the cluster, and has a run of its own',
  'lease-held': 'another companion is at work',
  failed: 'nodes failed in this run',
  'bad-policy': 'the policy cannot be read',
  forbidden: 'a right is missing; the message names it',
  bug: 'a bug of the companion; only then there is a stack trace',
  stopped: 'it was asked to stop; what it began goes on with the next run',
};

/** The flow of a node, from the table that the companion runs. */
function statesPage(): Page {
  const written = new Set<string>(TRANSITIONS.flatMap(({ from, to }) => [...from, to]));
  const left = [...NODE_STATES].filter((state) => !written.has(state));
  const waits = Object.entries(WAITS).map(([kind, what]) => {
    const goesOn = KEEPS_RUNNING[kind as WaitKind];
    return [`\`${kind}\``, what, goesOn ? 'yes' : 'no'];
  });
  const outcomes = Object.entries(OUTCOMES).map(([reason, what]) => [
    `\`${reason}\``,
    String(EXIT_CODES[reason as OutcomeReason]),
    what,
  ]);
  return {
    path: 'docs/reference/companion-states.md',
    text: joined(
      '# States of a node',
      `The value of the label \`${keyFor('state')}\`. States and their order are those of the operators; see [the ` +
        'companion](../guide/companion.md) for their purpose.',
      `\`\`\`mermaid\n${renderStateDiagram(TRANSITIONS).trimEnd()}\n\`\`\``,
      `Nodes in ${codeList(left)} belong to the flow of the maintenance operator, and are left alone.`,
      '## Transitions',
      "The first row of the node's state whose guards in *when* are all true, and those in *unless* all false, is taken. *Then* is " +
        'what is done; several rows taken at one time are one patch of the node. *Upstream*: `no` marks rows that ' +
        'k8s-operator-libs, the library of the operators, does not have.',
      renderStateTable(TRANSITIONS).trimEnd(),
      '## What a node waits for',
      '*Goes on*: a run does not end while a node waits like this. Runs that ended come back with the CronJob.',
      table(['wait', 'for', 'goes on'], waits),
      '## How a run ends',
      table(['reason', 'exit code', 'meaning'], outcomes),
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
    meaning: 'where the node is in [the flow](companion-states.md)',
  },
  rollout: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning:
      'the rollout that the upgrade in progress is for, or the one that failed; times of another one do not count',
  },
  before: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'JSON: the resources and gated pods that the node had before its upgrade, for the validation after it',
  },
  prePullStart: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'Unix seconds: the wait for the image of the coming driver began',
  },
  skip: { on: 'label of a node', writer: 'you', meaning: '`true`: no upgrade begins there' },
  skipDrain: { on: 'label of a pod', writer: 'you', meaning: '`true`: no drain touches the pod' },
  safeLoad: {
    on: 'annotation of a node',
    writer: "the driver's init container; the companion takes it away",
    meaning: 'not empty: the driver waits until the node is empty; without it, it is loaded',
  },
  initialState: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'the node was cordoned before its upgrade, so that cordon stays',
  },
  waitStart: { on: 'annotation of a node', writer: 'the companion', meaning: 'Unix seconds: the wait for jobs began' },
  validationStart: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'Unix seconds: the validation began',
  },
  requested: {
    on: 'annotation of a node',
    writer: 'you; the companion, on nodes of a retired DaemonSet; it takes it away when the upgrade begins',
    meaning: '`true`: upgrade the node although its driver is in sync',
  },
  requestorMode: {
    on: 'annotation of a node',
    writer: 'the maintenance operator',
    meaning: 'the node is in its flow, and is left alone',
  },
  drainStart: { on: 'annotation of a node', writer: 'the companion', meaning: 'Unix seconds: the drain began' },
  podDeletionStart: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: "Unix seconds: the deletion of pods that hold the driver's resources began",
  },
  restartStart: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'Unix seconds: the restart of the driver began; `upgrade.driverTimeout` counts from then on',
  },
  yielded: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning:
      '`true`: it was given back half-drained because evicted pods found no room; it begins again when they have',
  },
  cordoned: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: "the cordon is the companion's: `true`, or the time of its taint `node.kubernetes.io/unschedulable`",
  },
  outdated: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: '`true`: the upgrade is for an outdated driver, so it is called off where the driver is in sync again',
  },
  done: {
    on: 'annotation of a node',
    writer: 'the companion',
    meaning: 'rollout and Unix seconds of the last upgrade; canaries soak from then on',
  },
  failure: { on: 'annotation of a node', writer: 'the companion', meaning: 'why the upgrade failed, in words' },
};

/** Every key that the companion reads or writes. */
function labelsPage(): Page {
  const rows = (whose: (key: string) => boolean) =>
    (Object.keys(KEYS) as (keyof DriverKeys)[])
      .filter((name) => whose(keyFor(name)))
      .map((name) => [`\`${keyFor(name)}\``, KEYS[name].on, KEYS[name].writer, KEYS[name].meaning]);
  const isOurs = (key: string) => key.startsWith('weft.dev/');
  const head = ['key', 'what', 'who writes it', 'meaning'];
  const others = [
    [
      `\`${OFED_GATE_LABEL}\``,
      'label of a node',
      'the companion, with `gate: label`',
      '`"false"`: the driver is loaded',
    ],
    [`\`${DS_OWNER_LABEL}\``, 'label of a driver DaemonSet and its pods', 'Weft', 'the policy that they belong to'],
    [`\`${REVISION_LABEL}\``, 'label of a pod', 'Kubernetes', 'names the revision that the pod was made from'],
    [`\`${INSTALL_DIGEST_ANNOTATION}\``, 'annotation of a driver DaemonSet', 'Weft', 'hash of what it installs'],
    [
      `\`${PAUSED_ANNOTATION}\``,
      `annotation of the ConfigMap \`${COMPANION_NAMES.statusConfigMap}\``,
      'you',
      'any value but `false`: no node begins',
    ],
  ];
  return {
    path: 'docs/reference/companion-labels.md',
    text: joined(
      '# Labels and annotations of the companion',
      `All that the companion keeps is on the nodes. \`${OFED_LABEL_PREFIX}\` stands for the OFED driver; another driver has ` +
        'its own name in the same places, such as `gpu`.',
      "## The operators'",
      'Verbatim, with the same values, so that either takes over from the other in the middle.',
      table(
        head,
        rows((key) => !isOurs(key)),
      ),
      '## Ours',
      'What the operators keep in memory only, or not at all. Taking one away is safe: a clock begins anew, a cordon counts as ' +
        "the user's.",
      table(head, rows(isOurs)),
      '## Beside the flow',
      table(head, others),
      'A node waits while the label `nvidia.com/<driver>-driver-upgrade-state` of another driver says that its upgrade is in ' +
        'progress.',
    ),
  };
}

/** The pages of the companion that its sources say already. */
export function companionPages(): readonly Page[] {
  return [statesPage(), labelsPage()];
}

function keyFor(name: keyof DriverKeys): string {
  return driverKeys(OFED_LABEL_PREFIX)[name];
}

function joined(title: string, ...parts: readonly string[]): string {
  return `${[title, GENERATED, ...parts].join('\n\n')}\n`;
}
