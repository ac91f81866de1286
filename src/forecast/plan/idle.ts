import { isRestartedByOperator } from '../../shared/contract/upgrade-policy.js';
import type { Finding } from '../../companion/model/findings.js';
import type { PlannedCluster } from './cluster/planned-cluster.js';
import type { RunRecord } from './run/record.js';

/** Findings that say why a driver upgrades no node although some may lack what the output has. */
const REASONS: ReadonlySet<Finding['kind']> = new Set([
  'controller-runs',
  'auto-upgrade-off',
  'no-policy',
  'daemon-set-not-applied',
  'daemon-set-not-ready',
  'no-driver-pod',
  'node-uncovered',
]);

/** Why each driver upgrades no node; empty where one upgrades nodes. */
export function idleReasons(
  { nodes, cluster, latest }: RunRecord,
  { daemonSets }: Pick<PlannedCluster, 'daemonSets'>,
): readonly string[] {
  if (nodes.length > 0) return [];
  const { drivers } = cluster.policy;
  return drivers.flatMap((driver): readonly string[] => {
    const { labelPrefix } = driver;
    const found = latest?.findings.filter(({ driver: of, kind }) => of === labelPrefix && REASONS.has(kind)) ?? [];
    if (found.length > 0) return found.map(({ message }) => message);
    if (driver.kind === 'sriov') return ['no config daemon asks for a drain of its node'];
    const name = drivers.length > 1 ? `${labelPrefix} driver` : 'driver';
    const total = latest?.counts.find(({ driver: of }) => of === labelPrefix)?.total ?? 0;
    if (total === 0) return [`no node gets the ${name}`];
    const missing = !daemonSets.hasDriverSets
      ? 'DaemonSets'
      : daemonSets.hasRevisions
        ? undefined
        : 'ControllerRevisions';
    if (missing !== undefined) return [`the snapshot does not say which ${name} the nodes have: it has no ${missing}`];
    return [`every node has the ${name} of ${isRestartedByOperator(driver) ? 'its DaemonSet' : 'the new output'}`];
  });
}
