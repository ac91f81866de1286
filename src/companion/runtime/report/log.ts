import { waitKind } from '../../model/wait-kinds.js';
import type { LogRecord } from '../ports.js';
import type { Action, Decision, EvictPod, Waiting } from '../../model/types.js';
import type { Finding } from '../../model/findings.js';

/** A log line without its time. */
export type LogEntry = Omit<LogRecord, 'time'>;

/** State for logging each fact once. */
interface LogState {
  readonly waits: ReadonlyMap<string, string>;
  readonly findings: ReadonlySet<string>;
  readonly queue: string;
}

export const EMPTY_LOG: LogState = { waits: new Map(), findings: new Set(), queue: '' };

/** The lines for an action that took effect. */
export function logAction(action: Action): readonly LogEntry[] {
  const about = { level: 'info' as const, driver: action.driver };
  switch (action.kind) {
    case 'patchNode':
      if (action.steps.length === 0) {
        const changes = Object.entries({ ...action.labels, ...action.annotations });
        const changed = changes.map(([key, value]) => (value === null ? `${key}-` : `${key}=${value}`));
        return [{ level: 'info', message: 'node patched without a change of its state', node: action.node, changed }];
      }
      return action.steps.map(({ driver, row, from, to, message }) => ({
        ...about,
        driver,
        level: to === 'upgrade-failed' ? 'error' : 'info',
        message,
        node: action.node,
        row,
        from,
        to,
      }));
    case 'evictPod':
      return [
        {
          ...about,
          level: action.warning === undefined ? 'info' : 'warning',
          message: evictionMessage(action),
          node: action.node,
          pod: `${action.namespace}/${action.name}`,
        },
      ];
    case 'deletePod':
      return [
        {
          ...about,
          message: 'pod deleted',
          ...(action.node !== '' && { node: action.node }),
          pod: `${action.namespace}/${action.name}`,
          reason: action.reason,
        },
      ];
    case 'patchSriovNodeState':
      return [
        {
          ...about,
          message: 'SriovNetworkNodeState answered',
          node: action.node,
          changed: Object.entries(action.annotations).map(([key, value]) => `${key}=${value}`),
        },
      ];
    case 'changeNodeMaintenance':
      return [
        {
          ...about,
          message: `NodeMaintenance: ${action.change.kind}`,
          node: action.node,
          nodeMaintenance: `${action.namespace}/${action.name}`,
        },
      ];
    case 'deleteDaemonSet':
      return [{ ...about, message: 'retired DaemonSet deleted', daemonSet: `${action.namespace}/${action.name}` }];
  }
}

function evictionMessage({ isDeletion, warning }: EvictPod): string {
  const message = isDeletion === true ? 'pod deleted, because the time of the drain is over' : 'pod evicted';
  return warning === undefined ? message : `${message}: ${warning}`;
}

/** The lines for new waits and findings of a decision. */
export function logDecision(
  state: LogState,
  { waiting, findings }: Decision,
): { readonly state: LogState; readonly entries: readonly LogEntry[] } {
  const entries: LogEntry[] = [];
  const waits = new Map<string, string>();
  const queued = new Map<string, number>();
  for (const one of waiting) {
    if (waitKind(one.kind).isQueued === true) {
      const key = `${one.driver} ${one.kind}`;
      queued.set(key, (queued.get(key) ?? 0) + 1);
      continue;
    }
    const key = `${one.driver}/${one.node}`;
    waits.set(key, waitKey(one));
    if (state.waits.get(key) !== waitKey(one)) entries.push(waitEntry(one));
  }
  const known = new Set<string>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.kind, finding.driver, finding.node, finding.message]);
    known.add(key);
    if (!state.findings.has(key)) entries.push(findingEntry(finding));
  }
  const queue = [...queued].map(([key, count]) => `${key}: ${count}`).join(', ');
  if (queue !== state.queue && queue !== '') entries.push({ level: 'info', message: 'nodes wait to begin', queue });
  return { state: { waits, findings: known, queue }, entries };
}

/** A wait is logged again if its kind or its blockers change. Its message may contain times and counts. */
function waitKey({ kind, blockers }: Waiting): string {
  return JSON.stringify([kind, ...blockers.map(({ pod, budgets }) => [pod, budgets])]);
}

function waitEntry({ driver, node, state, kind, message, blockers }: Waiting): LogEntry {
  return {
    level: 'info',
    message,
    driver,
    node,
    state,
    waitsFor: kind,
    ...(blockers.length > 0 && { blockers: blockers.map(blockerText) }),
  };
}

/** `namespace/pod (PodDisruptionBudget a, b): reason`, as Events, logs and the status have it. */
export function blockerText({ pod, budgets, reason }: Waiting['blockers'][number]): string {
  const held = budgets.length === 0 ? '' : ` (PodDisruptionBudget ${budgets.join(', ')})`;
  return `${pod}${held}: ${reason}`;
}

function findingEntry({ kind, severity, driver, node, message }: Finding): LogEntry {
  return { level: severity, message, driver, finding: kind, ...(node !== undefined && { node }) };
}
