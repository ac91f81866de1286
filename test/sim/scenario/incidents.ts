import { digestOf } from '../../kit/digests.js';
import type { Random } from '../../../src/forecast/simulation/random.js';
import type { Workload } from '../../../src/forecast/simulation/simulated-cluster.js';
import type { EditIncident } from './edits.js';
import type { Git } from './git.js';
import type { GpuOperatorIncident } from './gpu-operator.js';
import type { MaintenanceIncident } from './maintenance-operator.js';
import { FAULTS_MS, type NodePlan } from './scenario.js';
import type { SriovIncident } from './sriov.js';
import type { TroubleIncident } from './troubles.js';

/** The faults and edits of a run, as data, so that a trace can be shortened. Times are relative to the start. */
export type Incident = { readonly atMs: number } & (
  | { readonly kind: 'rollout'; readonly prefix: string; readonly digest: string; readonly applyMs: number }
  | { readonly kind: 'rename'; readonly prefix: string; readonly digest: string; readonly applyMs: number }
  | { readonly kind: 'uninstall' | 'reinstall'; readonly prefix: string; readonly applyMs: number }
  | { readonly kind: 'auto-upgrade'; readonly prefix: string; readonly on: boolean }
  | { readonly kind: 'pause-policy' | 'pause-by-hand'; readonly on: boolean }
  /** `weft upgrade run --now`, or an administrator's annotation: until then, from the incident on; undefined: a text that is no time. */
  | { readonly kind: 'ignore-windows'; readonly forMs?: number }
  | {
      readonly kind: 'cordon' | 'uncordon' | 'reboot' | 'stop-reporting' | 'report-again' | 'remove-node';
      readonly node: string;
    }
  | { readonly kind: 'add-node'; readonly node: NodePlan }
  | {
      readonly kind: 'drop-state' | 'request' | 'skip' | 'unskip' | 'retry' | 'delete-driver-pod';
      readonly node: string;
      readonly prefix: string;
    }
  | {
      readonly kind: 'break' | 'repair';
      readonly digest: string;
      readonly node?: string;
      readonly how: 'crash' | 'image';
    }
  | { readonly kind: 'block-budget' | 'free-budget' | 'double-budget'; readonly workload: string }
  | { readonly kind: 'lose-revisions' }
  | { readonly kind: 'stall'; readonly forMs: number; readonly compacted: boolean }
  | { readonly kind: 'crash'; readonly afterActions: number; readonly backAfterMs: number }
  | { readonly kind: 'terminate'; readonly backAfterMs: number }
  | { readonly kind: 'foreign-flow'; readonly forMs: number }
  | { readonly kind: 'clock-jump'; readonly byMs: number }
  | { readonly kind: 'touch-node'; readonly node: string }
  /** A while after the cordon of the node, it is uncordoned and cordoned again. */
  | { readonly kind: 'cordon-again'; readonly node: string; readonly cordonedMs: number; readonly afterMs: number }
  | TroubleIncident
  | GpuOperatorIncident
  | SriovIncident
  | MaintenanceIncident
  | EditIncident
);

export function drawIncidents(
  random: Random,
  git: Git,
  nodes: readonly NodePlan[],
  workloads: readonly Omit<Workload, 'uid'>[],
): Incident[] {
  const prefix = random.pick(git.drivers).prefix;
  const first: Incident = {
    kind: 'rollout',
    prefix,
    digest: digestOf(`${prefix}-2`),
    atMs: random.int(0, 30_000),
    applyMs: random.int(0, 40_000),
  };
  const busy = random.pick([0, 2, 6, 15]);
  const more = Array.from({ length: busy }, () => drawIncident(random, git, nodes, workloads));
  const again: Incident[] = random.chance(0.2)
    ? [
        {
          kind: 'cordon-again',
          node: random.pick(nodes).name,
          atMs: at(random) / 10,
          cordonedMs: random.int(0, 40_000),
          afterMs: random.int(100, 5000),
        },
      ]
    : [];
  return [first, ...more.flat(), ...again].sort((a, b) => a.atMs - b.atMs);
}

/** In half of the runs with maintenance windows these are ignored for a while, or are not, because the time is over. */
export function drawIgnoredWindows(random: Random, { rollout }: Git): Incident[] {
  const sources = [rollout, ...(rollout.pools ?? [])];
  if (!sources.some(({ maintenanceWindows = [] }) => maintenanceWindows.length > 0) || !random.chance(0.5)) return [];
  const forMs = random.pick([undefined, -60_000, 60_000, 60_000, 5 * 60_000, 20 * 60_000]);
  return [{ kind: 'ignore-windows', atMs: random.int(1000, FAULTS_MS - 1000), ...(forMs !== undefined && { forMs }) }];
}

const KINDS = [
  'rollout',
  'rollout',
  'rename',
  'uninstall',
  'auto-upgrade',
  'pause',
  'cordon',
  'cordon',
  'cordon-mid-flow',
  'stop-reporting',
  'reboot',
  'remove-node',
  'add-node',
  'drop-state',
  'request',
  'skip',
  'retry',
  'delete-driver-pod',
  'break',
  'break-one',
  'budget',
  'budget',
  'double-budget',
  'lose-revisions',
  'stall',
  'stall',
  'crash',
  'crash',
  'crash',
  'terminate',
  'foreign-flow',
  'clock-jump',
  'touch-node',
] as const;

const at = (random: Random): number => random.int(1000, 10 * 60_000);

function drawIncident(
  random: Random,
  git: Git,
  nodes: readonly NodePlan[],
  workloads: readonly Omit<Workload, 'uid'>[],
): Incident[] {
  const kind = random.pick(KINDS);
  const atMs = at(random);
  const laterMs = atMs + random.int(500, 120_000);
  const node = random.pick(nodes).name;
  const prefix = random.pick(git.drivers).prefix;
  const workload = workloads.length === 0 ? 'none' : random.pick(workloads).name;
  const digest = digestOf(`${prefix}-${random.int(1, 3)}`);
  const applyMs = random.int(0, 40_000);
  const how = random.pick(['crash', 'image'] as const);
  switch (kind) {
    case 'rollout':
    case 'rename':
      return [{ atMs, kind, prefix, digest, applyMs }];
    case 'uninstall':
      return random.chance(0.5)
        ? [{ atMs, kind, prefix, applyMs }]
        : [
            { atMs, kind, prefix, applyMs },
            { atMs: laterMs, kind: 'reinstall', prefix, applyMs },
          ];
    case 'auto-upgrade':
      return [
        { atMs, kind, prefix, on: false },
        { atMs: laterMs, kind, prefix, on: true },
      ];
    case 'pause': {
      const which = random.pick(['pause-policy', 'pause-by-hand'] as const);
      return [
        { atMs, kind: which, on: true },
        { atMs: laterMs, kind: which, on: false },
      ];
    }
    case 'cordon':
      return random.chance(0.5)
        ? [{ atMs: atMs / 10, kind, node }]
        : [
            { atMs, kind, node },
            { atMs: laterMs, kind: 'uncordon', node },
          ];
    case 'cordon-mid-flow':
      return [
        { atMs, kind: 'uncordon', node },
        { atMs: laterMs, kind: 'cordon', node },
      ];
    case 'stop-reporting':
      return [
        { atMs, kind, node },
        { atMs: laterMs, kind: 'report-again', node },
      ];
    case 'reboot':
    case 'remove-node':
    case 'touch-node':
      return [{ atMs, kind, node }];
    case 'add-node':
      return [
        {
          atMs,
          kind,
          node: {
            name: `new-${random.int(1, 3)}`,
            labels: { group: 'a', rack: 'rack-9' },
            cordoned: random.chance(0.3),
          },
        },
      ];
    case 'skip':
      return random.chance(0.3)
        ? [{ atMs, kind, node, prefix }]
        : [
            { atMs, kind, node, prefix },
            { atMs: laterMs, kind: 'unskip', node, prefix },
          ];
    case 'drop-state':
    case 'request':
    case 'retry':
    case 'delete-driver-pod':
      return [{ atMs, kind, node, prefix }];
    case 'break':
      return [
        { atMs: atMs / 10, kind, digest: digestOf(`${prefix}-2`), how },
        { atMs: laterMs, kind: 'repair', digest: digestOf(`${prefix}-2`), how },
      ];
    case 'break-one':
      return [
        { atMs: atMs / 10, kind: 'break', digest: digestOf(`${prefix}-2`), node, how },
        { atMs: laterMs, kind: 'repair', digest: digestOf(`${prefix}-2`), node, how },
      ];
    case 'budget':
      return [
        { atMs: atMs / 5, kind: 'block-budget', workload },
        { atMs: laterMs, kind: 'free-budget', workload },
      ];
    case 'double-budget':
      return [{ atMs: atMs / 5, kind, workload }];
    case 'lose-revisions':
      return [{ atMs, kind }];
    case 'stall':
      return [{ atMs, kind, forMs: random.int(1000, 90_000), compacted: random.chance(0.5) }];
    case 'crash':
      return [{ atMs: atMs / 2, kind, afterActions: random.int(0, 5), backAfterMs: random.int(15_000, 40_000) }];
    case 'terminate':
      return [{ atMs: atMs / 2, kind, backAfterMs: random.int(0, 20_000) }];
    case 'foreign-flow':
      return [{ atMs, kind, forMs: random.int(20_000, 200_000) }];
    case 'clock-jump':
      return [{ atMs, kind, byMs: random.pick([-3_600_000, -5000, 5000, 3_600_000]) }];
    default:
      return kind satisfies never;
  }
}
