import { compareText } from '../../../src/shared/lib/json.js';
import type { LiveObject } from './api-client.js';

/** `kindOrder` of gitops-engine, `pkg/sync/sync_tasks.go`, for the kinds that Weft renders. Others come last. */
const ARGO_CD = [
  'Namespace',
  'ServiceAccount',
  'ConfigMap',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'Service',
  'DaemonSet',
  'Deployment',
  'Job',
  'CronJob',
];

/** fluxcd/pkg, `ssa/sort.go`. Others come between, webhooks last. */
const FLUX = [
  'CustomResourceDefinition',
  'Namespace',
  'ServiceAccount',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Service',
  'Deployment',
  'CronJob',
];

export type GitOpsTool = 'Argo CD' | 'Flux';

/** The objects in the order in which a tool applies them. */
export function applyOrder(tool: GitOpsTool, objects: readonly LiveObject[]): readonly LiveObject[] {
  const kinds = tool === 'Flux' ? FLUX : ARGO_CD;
  const rank = ({ kind }: LiveObject) => {
    if (tool === 'Flux' && kind.endsWith('WebhookConfiguration')) return kinds.length + 1;
    return kinds.includes(kind) ? kinds.indexOf(kind) : kinds.length;
  };
  return [...objects].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      compareText(a.kind, b.kind) ||
      compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '') ||
      compareText(a.metadata.name, b.metadata.name),
  );
}
