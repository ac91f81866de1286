import type { ApiObject } from '../../render/layout.js';

/**
 * Health check of DaemonSets for Argo CD, in Lua. For the update strategy `OnDelete` Argo CD's own check always returns
 * Healthy (gitops-engine, pkg/health/health_daemonset.go); here it is Progressing until each pod has the current
 * template and is available. The rest is the same as in that file.
 */
const SCRIPT = `\
local status = obj.status or {}
local desired = status.desiredNumberScheduled or 0
local updated = status.updatedNumberScheduled or 0
local available = status.numberAvailable or 0
local strategy = (obj.spec.updateStrategy or {}).type or ""

if (obj.metadata.generation or 0) > (status.observedGeneration or 0) then
  return {
    status = "Progressing",
    message = "Waiting for rollout to finish: observed daemon set generation less than desired generation",
  }
end
if strategy == "OnDelete" and updated < desired then
  return {
    status = "Progressing",
    message = string.format("%d out of %d pods have the current template: the others are replaced when they are deleted", updated, desired),
  }
end
if updated < desired then
  return {
    status = "Progressing",
    message = string.format("Waiting for daemon set \\"%s\\" rollout to finish: %d out of %d new pods have been updated...", obj.metadata.name, updated, desired),
  }
end
if available < desired then
  return {
    status = "Progressing",
    message = string.format("Waiting for daemon set \\"%s\\" rollout to finish: %d of %d updated pods are available...", obj.metadata.name, available, desired),
  }
end
return { status = "Healthy" }
`;

/**
 * The script as a part of Argo CD's own ConfigMap, to be applied server-side, which keeps other keys. It must not be
 * pruned, because that would delete Argo CD's whole configuration.
 */
export function daemonSetHealth(namespace: string): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'argocd-cm',
      namespace,
      labels: { 'app.kubernetes.io/name': 'argocd-cm', 'app.kubernetes.io/part-of': 'argocd' },
      annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' },
    },
    data: { 'resource.customizations.health.apps_DaemonSet': SCRIPT },
  };
}
