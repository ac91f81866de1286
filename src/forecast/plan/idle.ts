import type { Finding } from '../../companion/core/model/findings.js';
import type { RestartingOperator, PlannedCluster } from './cluster/planned-cluster.js';
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

const NOT_SIMULATED: Readonly<Record<RestartingOperator, string>> = {
  'gpu-operator': 'what the GPU operator restarts is not simulated',
  'sriov-config-daemon': 'what the config daemons of the SR-IOV Network Operator configure is not simulated',
};

/** Why each driver upgrades no node; empty where one upgrades nodes. */
export function idleReasons({ nodes, cluster, latest }: RunRecord, { operators }: PlannedCluster): readonly string[] {
  if (nodes.length > 0) return [];
  const { drivers } = cluster.policy;
  const ofDrivers = drivers.flatMap(({ labelPrefix }): readonly string[] => {
    const found = latest?.findings.filter(({ driver, kind }) => driver === labelPrefix && REASONS.has(kind)) ?? [];
    if (found.length > 0) return found.map(({ message }) => message);
    const name = drivers.length + operators.length > 1 ? `${labelPrefix} driver` : 'driver';
    const total = latest?.counts.find(({ driver }) => driver === labelPrefix)?.total ?? 0;
    return [total === 0 ? `no node gets the ${name}` : `every node has the ${name} of the new output`];
  });
  return [...ofDrivers, ...operators.map((operator) => NOT_SIMULATED[operator])];
}
