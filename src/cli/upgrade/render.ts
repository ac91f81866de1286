import { escapeLine } from '../../shared/lib/escape.js';
import type { UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { namedDriver } from '../../shared/contract/upgrade-command.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { counted } from '../../shared/lib/listed.js';
import { limitsOf, limitLines } from './limits.js';
import { companionLines } from './companion-status.js';
import { tableLines } from '../../shared/lib/table.js';
import { timeSpan } from './render-time.js';
import type { Action, Decision, PatchNode } from '../../companion/model/types.js';
import type { Headway, StatusRow } from './rows.js';
import type { Survey } from './survey.js';

/** The text output of `weft upgrade status`. */
export function statusText(survey: Survey, rows: readonly StatusRow[]): string {
  const { decision, lease, nowMs, policy } = survey;
  const lines = rows.length === 0 ? ['no node has a driver, or is to have one'] : [...table(rows, nowMs, policy)];
  lines.push(
    '',
    ...limitLines(limitsOf(survey.waiting)),
    leaseLine(lease?.holderIdentity, lease?.renewMs, nowMs),
    ...companionLines(survey.companion, nowMs),
  );
  lines.push(...findingLines(decision.findings, policy));
  return lines.map((line) => `${escapeLine(line).trimEnd()}\n`).join('');
}

/** Where the policy has several drivers, the lines name them, but for what is said of every driver. */
function findingLines(findings: Decision['findings'], { drivers }: UpgradePolicy): readonly string[] {
  const lines = findings.map(({ severity, driver, node, message }) => {
    const text = `${node === undefined ? '' : `${node}: `}${message}`;
    const isOfAll = drivers.every(({ labelPrefix }) =>
      findings.some((one) => one.driver === labelPrefix && one.node === node && one.message === message),
    );
    return `${severity}: ${isOfAll ? '' : prefixOf(driver, drivers)}${text}`;
  });
  return drivers.length > 1 ? [...new Set(lines)] : lines;
}

function prefixOf(driver: string, drivers: UpgradePolicy['drivers']): string {
  const named = namedDriver(driver, drivers);
  return named === undefined ? '' : `${named}: `;
}

/** Where the policy has several drivers, a column names the driver. */
function table(rows: readonly StatusRow[], nowMs: number, { drivers }: UpgradePolicy): readonly string[] {
  const cells = rows.map(({ node, driver, pool, from, to, state, sinceMs, waitsFor, retryMs }) => [
    ...[node, pool || '-', ...(drivers.length > 1 ? [driver] : []), versions(from, to), state || '-'],
    sinceMs === undefined ? '-' : timeSpan(nowMs - sinceMs),
    [waitsFor || '-', ...(retryMs === undefined ? [] : [retryText(retryMs, nowMs)])].join('; '),
  ]);
  const heads = drivers.length > 1 ? ['DRIVER', 'VERSION'] : ['DRIVER'];
  return tableLines([['NODE', 'UPGRADE POOL', ...heads, 'STATE', 'SINCE', 'WAITS FOR'], ...cells]);
}

function retryText(retryMs: number, nowMs: number): string {
  return retryMs > nowMs ? `tried again in ${timeSpan(retryMs - nowMs)}` : 'is being tried again';
}

function versions(from: string, to: string): string {
  if (to === '' || from === to) return from || '-';
  return `${from || 'none'} → ${to}`;
}

function leaseLine(holder: string | undefined, renewMs: number | undefined, nowMs: number): string {
  if (holder === undefined || holder === '') return 'no companion holds the Lease';
  const renewed = renewMs === undefined ? '' : `, renewed ${timeSpan(nowMs - renewMs)} ago`;
  return `the Lease is held by ${holder}${renewed}`;
}

const BAR_CHARACTERS = 30;

/**
 * `[#####-----] 10 of 20 nodes, about 14m left`.
 *
 * @param of what is counted
 */
export function headwayLine({ done, total, remainingMs }: Headway, of = 'nodes'): string {
  const filled = total === 0 ? BAR_CHARACTERS : Math.floor((BAR_CHARACTERS * done) / total);
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_CHARACTERS - filled);
  const left = remainingMs === undefined ? '' : `, about ${timeSpan(remainingMs)} left`;
  return `[${bar}] ${done} of ${total} ${of}${left}\n`;
}

/** The next actions of the companion, one line each, and how many nodes wait for each reason. */
export function nextActionsText({ decision, lease, nowMs, policy: { drivers } }: Survey): string {
  const waits = groupBy(decision.waiting, ({ kind }) => kind);
  const actions = decision.actions.flatMap((one) =>
    one.kind === 'patchNode' ? patchLines(one, drivers) : `${prefixOf(one.driver, drivers)}${actionText(one)}`,
  );
  const lines = [
    ...(actions.length === 0 ? ['nothing to do now'] : actions),
    '',
    ...[...waits].map(([kind, all]) => {
      const count = new Set(all.map(({ node }) => node)).size;
      return `${counted(count, 'node waits', 'nodes wait')} (${kind})`;
    }),
    leaseLine(lease?.holderIdentity, lease?.renewMs, nowMs),
  ];
  return lines.map((line) => `${escapeLine(line)}\n`).join('');
}

/** A patch of a node, with a line for each driver whose label it changes. */
function patchLines({ unschedulable, node, steps }: PatchNode, drivers: UpgradePolicy['drivers']): readonly string[] {
  const cordon = unschedulable === undefined ? [] : [unschedulable ? 'cordon' : 'uncordon'];
  const [first, ...others] = [...groupBy(steps, ({ driver }) => driver)].map(([driver, own]) => {
    const path = [...own.slice(0, 1).map(({ from }) => from || 'new'), ...own.map(({ to }) => to)].join(' → ');
    return { prefix: prefixOf(driver, drivers), path };
  });
  const one = first ?? { prefix: '', path: 'keep its records' };
  return [
    `${one.prefix}${node}: ${[...cordon, one.path].join(', ')}`,
    ...others.map(({ prefix, path }) => `${prefix}${node}: ${path}`),
  ];
}

function actionText(action: Exclude<Action, PatchNode>): string {
  switch (action.kind) {
    case 'evictPod':
      return `${action.node}: ${action.isDeletion === true ? 'delete' : 'evict'} pod ${action.namespace}/${action.name}`;
    case 'deletePod':
      return `${action.node || 'no node'}: delete pod ${action.namespace}/${action.name} (${action.reason})`;
    case 'patchSriovNodeState':
      return `${action.node}: answer its SR-IOV config daemon: ${Object.values(action.annotations).join(', ')}`;
    case 'changeNodeMaintenance':
      return `${action.node}: ${action.change.kind} NodeMaintenance ${action.namespace}/${action.name}`;
    case 'deleteDaemonSet':
      return `delete DaemonSet ${action.namespace}/${action.name}; its pods stay until their nodes are upgraded`;
  }
}
