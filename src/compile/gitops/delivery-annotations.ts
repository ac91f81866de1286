import { KEEP_ANNOTATIONS, NOT_SUBSTITUTED } from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { hasEntries } from '../../shared/lib/has-entries.js';
import type { GitOps } from '../model/gitops.js';
import { deliveryGroup } from './delivery-group.js';

type Annotations = Readonly<Record<string, string>>;

/** Argo CD, docs/user-guide/sync-waves.md. Objects without it are in wave 0. */
export const FIRST_WAVE: Annotations = { 'argocd.argoproj.io/sync-wave': '-1' };

/**
 * Argo CD, docs/user-guide/compare-options.md: an object that was removed from git but is kept does not make the
 * Application OutOfSync, which would be synced repeatedly.
 */
export const NOT_EXTRANEOUS: Annotations = { 'argocd.argoproj.io/compare-options': 'IgnoreExtraneous' };

/** Whether Argo CD applies an object in the first wave. */
const isFirst = (object: KubernetesObject): boolean => ['crds', 'base'].includes(deliveryGroup({ folder: '', object }));

const isKept = ({ metadata }: KubernetesObject): boolean => hasEntries(metadata.annotations ?? {}, KEEP_ANNOTATIONS);

/**
 * The annotations of an object for the controller. Argo CD waits for the health of each wave except the last, and one
 * unavailable node keeps a DaemonSet progressing for ever, so only CRDs and Namespaces are in earlier waves. Flux
 * replaces `${…}` if a Kustomization has `postBuild`, which must not change scripts. `undefined` if no object needs
 * annotations.
 */
export function deliveryAnnotations({ argocd, flux }: GitOps): ((object: KubernetesObject) => Annotations) | undefined {
  if (argocd !== undefined) {
    return (object) => ({ ...(isFirst(object) && FIRST_WAVE), ...(isKept(object) && NOT_EXTRANEOUS) });
  }
  if (flux !== undefined) return (object) => (JSON.stringify(object).includes('${') ? NOT_SUBSTITUTED : {});
  return undefined;
}
