import type { Action, Decision } from '../../src/companion/model/types.js';
import { advance } from '../kit/idle-cluster.js';
import { runCommand } from './commands.js';
import { act, createState, decideOn, type ScenarioState } from './state.js';

/** More decisions than this at one time count as an endless loop. */
const MOST_DECISIONS = 50;
/** Time until the next decision if the decision has no wake time. */
const TICK_MS = 1000;
const INDENT = '    ';

/**
 * Runs a scenario. The result is the same text, with the actual actions below each `run`. Comments (`#`), empty lines and commands are
 * kept; indented lines of the input are the expected actions.
 */
export function replay(text: string): string {
  const state = createState();
  const replayed: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith(INDENT)) continue;
    replayed.push(line);
    if (line.trim() === '' || line.startsWith('#')) continue;
    try {
      const [, amount, unit] = /^run(?: (\d+)([smhd]))?$/.exec(line) ?? [];
      if (line.startsWith('run')) replayed.push(...runFor(state, durationMs(amount, unit)).map((one) => INDENT + one));
      else runCommand(state, line);
    } catch (error) {
      throw new Error(`${line}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  return replayed.join('\n');
}

function durationMs(amount = '0', unit = 's'): number {
  return Number(amount) * ({ s: 1, m: 60, h: 3600, d: 86_400 }[unit] ?? NaN) * 1000;
}

/** Decides and acts until this time has passed and nothing is left to be done. */
function runFor(state: ScenarioState, forMs: number): readonly string[] {
  const { cluster } = state;
  const lines: string[] = [];
  const startMs = cluster.events.now();
  const endMs = startMs + forMs;
  let decision: Decision;
  let decisions = 0;
  for (;;) {
    decision = decideOn(state);
    for (const action of decision.actions) {
      const outcome = act(state, action);
      const answer = outcome?.kind === 'refused' ? `: refused, ${outcome.message}` : '';
      lines.push(`${sinceText(cluster.events.now() - startMs)}  ${actionText(action)}${answer}`);
    }
    if (decision.actions.length > 0 && ++decisions < MOST_DECISIONS) continue;
    if (decisions >= MOST_DECISIONS) throw new Error(`the companion repeats its actions:\n${lines.join('\n')}`);
    if (cluster.events.now() >= endMs) break;
    decisions = 0;
    const nowMs = cluster.events.now();
    advance(cluster, Math.min(endMs, Math.max(decision.wakeMs ?? endMs, nowMs + TICK_MS)) - nowMs);
  }
  return [...withRepeatsCounted(lines), ...restText(decision)];
}

function sinceText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${seconds}s`.padStart(6);
}

function actionText(action: Action): string {
  switch (action.kind) {
    case 'patchNode': {
      const cordon = action.unschedulable === undefined ? '' : action.unschedulable ? ', cordon' : ', uncordon';
      const path = action.steps.map(({ row, to }) => `${row} → ${to}`).join(', ');
      const labels = Object.entries(action.labels).filter(([key]) => !key.endsWith('-driver-upgrade-state'));
      const kept = labels.map(([key, value]) => `, ${key}=${value ?? ''}`).join('');
      return `${action.node}: ${path === '' ? 'patch' : path}${cordon}${kept}`;
    }
    case 'evictPod':
      return `${action.node}: ${action.isDeletion === true ? 'delete after the drain' : 'evict'} ${action.namespace}/${action.name}${action.warning === undefined ? '' : ` (${action.warning})`}`;
    case 'deletePod':
      return `${action.node}: delete pod ${action.namespace}/${action.name} (${action.reason})`;
    case 'patchSriovNodeState':
      return `${action.node}: ${Object.values(action.annotations).join(', ')}`;
    case 'changeNodeMaintenance':
      return `${action.node}: ${action.change.kind} NodeMaintenance ${action.namespace}/${action.name}`;
    case 'deleteDaemonSet':
      return `delete DaemonSet ${action.namespace}/${action.name}, its pods stay`;
  }
}

/** Equal actions at one time are one line with their number. */
function withRepeatsCounted(lines: readonly string[]): readonly string[] {
  const counted: { readonly line: string; readonly what: string; count: number }[] = [];
  for (const line of lines) {
    const what = line.slice(8);
    const same = counted.find((one) => one.what === what && what.includes(': refused'));
    if (same === undefined) counted.push({ line, what, count: 1 });
    else same.count++;
  }
  return counted.map(({ line, count }) => (count === 1 ? line : `${line} (${count} times)`));
}

function restText({ waiting, findings }: Decision): readonly string[] {
  return [
    ...waiting.map(({ node, kind, message, blockers }) => {
      const who = blockers.map(({ pod, budgets }) => [pod, ...budgets.map((one) => `budget ${one}`)].join(', '));
      return ` waits  ${node} (${kind}): ${message}${who.length === 0 ? '' : ` [${who.join('; ')}]`}`;
    }),
    ...findings.map(({ kind, severity, node, message }) => {
      return ` ${severity === 'info' ? 'note ' : severity}  ${node === undefined ? '' : `${node} `}(${kind}): ${message}`;
    }),
  ];
}
