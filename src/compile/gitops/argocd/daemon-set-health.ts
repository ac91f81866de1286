import type { ArgoCd } from '../../model/gitops.js';
import type { ApiObject, OutputFile, Placed } from '../../render/layout.js';
import { toYaml } from '../../render/yaml/yaml.js';

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

const KEY = 'resource.customizations.health.apps_DaemonSet';

/** Folder of the health check, which users apply themselves: Argo CD applies the files directly in a folder. */
const HEALTH_FOLDER = 'health';

/** The form of the health check, and the namespace of Argo CD. */
type HealthSettings = Pick<ArgoCd, 'health' | 'namespace'>;

/** The ConfigMap with the health check; empty for the other forms. */
export function healthObjects({ health, namespace }: HealthSettings): readonly Placed[] {
  return health === 'configMap' ? [{ folder: HEALTH_FOLDER, object: daemonSetHealth(namespace) }] : [];
}

/**
 * Values for Argo CD's own chart (argo-helm, `charts/argo-cd`, `configs.cm`), which writes `argocd-cm` itself; empty for the other
 * forms.
 */
export function healthValues({ health }: HealthSettings): readonly OutputFile[] {
  return health === 'values'
    ? [{ path: `${HEALTH_FOLDER}/values.yaml`, text: toYaml({ configs: { cm: { [KEY]: SCRIPT } } }) }]
    : [];
}

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
    data: { [KEY]: SCRIPT },
  };
}
