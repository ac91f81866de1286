import type { DriverCoverage } from '../../contract/driver-coverage.js';
import type { KubernetesObject } from '../../kubernetes/types.js';
import { compareText } from '../../lib/json.js';
import { moverOf, poolList, poolNames, rowsOf, type DriverContext, type DriverImpact } from './driver-context.js';

/** The impact of a driver DaemonSet that is removed from the output, but kept in the cluster by its annotations. */
export function retiredDriver(from: KubernetesObject, context: DriverContext): DriverImpact {
  const { coverage } = context;
  if (context.isClusterGone) return keptDriver(from, context, ['the whole cluster leaves the output']);
  const isKept = true;
  if (coverage === undefined) {
    const note = 'leaves the output; which pools it was for, the old output does not say';
    return { impact: 'drain', pools: [], mover: moverOf(context.after, context), notes: [note], isKept };
  }
  const rows = rowsOf(coverage.before, from);
  const pools = poolNames(rows);
  if (context.isUninstalling) {
    const note =
      '`driver.uninstall` is set: the companion ends its pods node by node, then nothing of the driver is left';
    return { impact: 'drain', pools, mover: moverOf([], context), notes: [note], isKept };
  }
  const replaced = rows.filter(({ pool }) => context.after.some((one) => one.pool === pool));
  const left = rows.filter((row) => !replaced.includes(row));
  if (replaced.length === 0) return keptDriver(from, context, left.length === 0 ? [] : [whyLeft(left, context)]);
  const successors = replaced.flatMap((row) => context.after.filter(({ pool }) => pool === row.pool));
  const notes = [
    ...successorNotes(replaced, coverage.before, context.after),
    ...replaced.flatMap((row) => kernelNote(row, context.after)),
    ...(left.length > 0 ? [`${whyLeft(left, context)}: nodes there keep its pods`] : []),
  ];
  return { impact: 'drain', pools, mover: moverOf(successors, context), notes, isKept };
}

/** No DaemonSet replaces it: it keeps running until users delete it. */
function keptDriver(from: KubernetesObject, { coverage }: DriverContext, reasons: readonly string[]): DriverImpact {
  const { namespace = '', name } = from.metadata;
  const notes = [
    ...reasons,
    'stays in the cluster with its pods, because its annotations keep it; no node is drained, and nothing upgrades it',
    'its ServiceAccount, roles and ConfigMaps are kept as well: its pods need them when they start again',
    `to finish: put the section back with \`driver.uninstall: true\` in the Cluster document, and remove it when the companion is done; or delete the DaemonSet by hand with \`kubectl delete daemonset -n ${namespace} ${name}\`, which ends all its pods at once, without a drain`,
  ];
  return { impact: 'remove', pools: poolNames(rowsOf(coverage?.before ?? [], from)), notes, isKept: true };
}

function whyLeft(rows: readonly DriverCoverage[], { after }: DriverContext): string {
  const policies = [...new Set(rows.map(({ policy }) => policy))].sort(compareText);
  const gone = policies.filter((policy) => !after.some((one) => one.policy === policy));
  const pools = poolList(poolNames(rows));
  return gone.length === policies.length
    ? `the driver section of ${gone.join(' and ')} is gone, and no driver is left for ${pools}`
    : `no driver is left for ${pools}`;
}

/** The DaemonSets that replace this one on its pools; pools with the same replacement are grouped. */
function successorNotes(
  rows: readonly DriverCoverage[],
  before: readonly DriverCoverage[],
  after: readonly DriverCoverage[],
): readonly string[] {
  const byText = new Map<string, string[]>();
  for (const row of rows) {
    const names = successorsOf(row, before, after).map((one) => nameFrom(row, one));
    const text = names.length === 0 ? 'no driver takes its place' : `${names.join(' and ')} takes its place`;
    byText.set(text, [...(byText.get(text) ?? []), row.pool]);
  }
  return [...byText].map(([text, pools]) => `retired: ${text} on ${poolList([...new Set(pools)].sort(compareText))}`);
}

/**
 * The drivers that replace a driver on its nodes: those for its kernel; otherwise, for instance when a kernel was
 * replaced, those that are new in the pool. A driver that the pool already had for another kernel replaces none.
 */
function successorsOf(
  row: DriverCoverage,
  before: readonly DriverCoverage[],
  after: readonly DriverCoverage[],
): readonly string[] {
  const inPool = after.filter(({ pool }) => pool === row.pool);
  const known = new Set(before.filter(({ pool }) => pool === row.pool).map(({ daemonSet }) => daemonSet));
  const sameKernel = inPool.filter(({ kernel }) => kernel === '' || row.kernel === '' || kernel === row.kernel);
  const fresh = inPool.filter(({ daemonSet }) => !known.has(daemonSet));
  const found = sameKernel.length > 0 ? sameKernel : fresh;
  return [...new Set(found.map(({ daemonSet }) => daemonSet))].sort(compareText);
}

/** The name of a DaemonSet, with its namespace if that differs, because both may have the same name. */
function nameFrom(row: DriverCoverage, daemonSet: string): string {
  const [namespace = '', name = ''] = daemonSet.split('/');
  return row.daemonSet.startsWith(`${namespace}/`) ? `\`${name}\`` : `\`${name}\` in namespace \`${namespace}\``;
}

function kernelNote({ pool, kernel }: DriverCoverage, after: readonly DriverCoverage[]): readonly string[] {
  const inPool = after.filter((one) => one.pool === pool);
  if (kernel === '' || inPool.some((one) => one.kernel === '' || one.kernel === kernel)) return [];
  return [
    `pool \`${pool}\` has no kernel \`${kernel}\` any more: nodes that still run it lose their driver; list it in \`kernels\` until they have moved on`,
  ];
}
