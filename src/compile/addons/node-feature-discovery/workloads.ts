import { fullName, selectorLabels } from '../chart-names.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { clusterMeta, KEPT, meta, type Parts } from './names.js';
import {
  configMaps,
  featureGateFlags,
  NODE_ADDRESS,
  POD_ENV,
  podTemplate,
  selectorOf,
  UPDATER_SOCKET,
  updaterMounts,
  workerMounts,
  type Role,
} from './pods.js';

/** The workloads and their configuration. */
export function workloads(parts: Parts): readonly KubernetesObject[] {
  const { master, worker, gc, topologyUpdater } = parts.spec;
  return [
    ...(master.enable ? masterObjects(parts) : []),
    ...(worker.enable ? workerObjects(parts) : []),
    ...(gc.enable ? gcObjects(parts) : []),
    ...(topologyUpdater.enable ? updaterObjects(parts) : []),
    ...podMonitors(parts),
  ];
}

function masterObjects(parts: Parts): readonly KubernetesObject[] {
  const { master } = parts.spec;
  const flag = (name: string, value: string | number | undefined) =>
    value === undefined || value === '' ? [] : [`-${name}=${value}`];
  const role: Role = {
    role: 'master',
    program: master,
    accountSuffix: '',
    config: master.config,
    args: [
      ...flag('instance', master.instance),
      ...(master.replicaCount > 1 ? ['-enable-leader-election'] : []),
      ...flag('extra-label-ns', master.extraLabelNs.join(',')),
      ...flag('deny-label-ns', master.denyLabelNs.join(',')),
      ...(master.enableTaints ? ['-enable-taints'] : []),
      ...flag('resync-period', master.resyncPeriod),
      ...flag('nfd-api-parallelism', master.nfdApiParallelism),
      ...featureGateFlags(parts),
      `-port=${master.port}`,
    ],
  };
  return [...deployment(parts, role, master), ...disruptionBudgets(parts, role, master)];
}

function workerObjects(parts: Parts): readonly KubernetesObject[] {
  const { worker } = parts.spec;
  const role: Role = {
    role: 'worker',
    program: worker,
    accountSuffix: '-worker',
    config: worker.config,
    env: POD_ENV,
    args: [...featureGateFlags(parts), `-owner-refs=${worker.ownerRefs.join(',')}`, `-port=${worker.port}`],
    priorityClassName: worker.priorityClassName,
    ...workerMounts(worker.mountUsrSrc),
  };
  return daemonSet(parts, role, worker.daemonsetAnnotations, { updateStrategy: worker.updateStrategy });
}

function gcObjects(parts: Parts): readonly KubernetesObject[] {
  const { gc } = parts.spec;
  const role: Role = { role: 'gc', program: gc, accountSuffix: '-gc', args: [`-gc-interval=${gc.interval}`] };
  return [...deployment(parts, role, gc), ...disruptionBudgets(parts, role, gc)];
}

function updaterObjects(parts: Parts): readonly KubernetesObject[] {
  const { topologyUpdater } = parts.spec;
  const { kubeletConfigPath, updateInterval, watchNamespace, podSetFingerprint, port } = topologyUpdater;
  const role: Role = {
    role: 'topology-updater',
    program: topologyUpdater,
    accountSuffix: '-topology-updater',
    config: topologyUpdater.config,
    env: [NODE_ADDRESS],
    args: [
      `-podresources-socket=${UPDATER_SOCKET}`,
      `-sleep-interval=${updateInterval}`,
      `-watch-namespace=${watchNamespace}`,
      ...(podSetFingerprint ? [] : ['-pods-fingerprint=false']),
      ...(kubeletConfigPath === '' ? [] : ['-kubelet-config-uri=file:///host-var/kubelet-config']),
      `-port=${port}`,
    ],
    ...updaterMounts(topologyUpdater),
  };
  return daemonSet(parts, role, topologyUpdater.daemonsetAnnotations, {});
}

interface Scaled {
  readonly replicaCount: number;
  readonly deploymentAnnotations: Readonly<Record<string, string>>;
}

function deployment(parts: Parts, role: Role, scaled: Scaled): readonly KubernetesObject[] {
  const metadata = meta(parts, fullName(parts, `-${role.role}`), scaled.deploymentAnnotations, role.role);
  const spec = { replicas: scaled.replicaCount, ...workloadSpec(parts, role) };
  return [
    ...configMaps(parts, role),
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec },
    ...networkPolicies(parts, role),
  ];
}

function daemonSet(
  parts: Parts,
  role: Role,
  annotations: Readonly<Record<string, string>>,
  more: object,
): readonly KubernetesObject[] {
  const metadata = meta(parts, fullName(parts, `-${role.role}`), annotations, role.role);
  const spec = { ...workloadSpec(parts, role), ...more };
  return [
    ...configMaps(parts, role),
    { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata, spec },
    ...networkPolicies(parts, role),
  ];
}

function workloadSpec(parts: Parts, role: Role): object {
  const { revisionHistoryLimit } = role.program;
  return {
    ...(revisionHistoryLimit === undefined ? {} : { revisionHistoryLimit }),
    selector: selectorOf(parts, role),
    template: podTemplate(parts, role),
  };
}

function networkPolicies(parts: Parts, role: Role): readonly KubernetesObject[] {
  const { enabled, egress, ingress } = role.program.networkPolicy;
  if (!enabled) return [];
  const metadata = meta(parts, fullName(parts, `-${role.role}-network-policy`), {}, role.role);
  const spec = { podSelector: selectorOf(parts, role), policyTypes: ['Egress', 'Ingress'], egress, ingress };
  return [{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec }];
}

interface Budgeted {
  readonly podDisruptionBudget: {
    readonly enable: boolean;
    readonly minAvailable: number | string;
    readonly unhealthyPodEvictionPolicy: string;
  };
}

function disruptionBudgets(parts: Parts, role: Role, { podDisruptionBudget }: Budgeted): readonly KubernetesObject[] {
  const { enable, minAvailable, unhealthyPodEvictionPolicy } = podDisruptionBudget;
  if (!enable) return [];
  const metadata = meta(parts, fullName(parts, `-${role.role}`));
  const spec = { selector: selectorOf(parts, role), minAvailable, unhealthyPodEvictionPolicy };
  return [{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec }];
}

function podMonitors(parts: Parts): readonly KubernetesObject[] {
  const { enable, scrapeInterval, labels } = parts.spec.prometheus;
  if (!enable) return [];
  const metadata = {
    name: fullName(parts),
    namespace: parts.releaseNamespace,
    labels: { ...clusterMeta(parts, '').labels, ...labels },
    annotations: KEPT,
  };
  const expressions = Object.entries(selectorLabels(parts)).sort(([a], [b]) => (a < b ? -1 : 1));
  const spec = {
    namespaceSelector: { matchNames: [parts.namespace] },
    selector: { matchExpressions: expressions.map(([key, value]) => ({ key, operator: 'In', values: [value] })) },
    podMetricsEndpoints: [
      { honorLabels: true, interval: scrapeInterval, path: '/metrics', port: 'http', scheme: 'http' },
    ],
  };
  return [{ apiVersion: 'monitoring.coreos.com/v1', kind: 'PodMonitor', metadata, spec }];
}
