import { KEEP_ANNOTATIONS } from '../contract/labels.js';
import type { KubernetesObject } from '../kubernetes/types.js';
import type { GitOps } from '../model/gitops.js';
import { deliveryGroup } from './delivery-group.js';

type Annotations = Readonly<Record<string, string>>;

/** Argo CD, docs/user-guide/sync-waves.md. Objects without it are in wave 0. */
const FIRST_WAVE: Annotations = { 'argocd.argoproj.io/sync-wave': '-1' };

/** kustomize-controller, docs/spec/v1/kustomizations.md, "Post build variable substitution". */
const NOT_SUBSTITUTED: Annotations = { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' };

/**
 * Argo CD, docs/user-guide/compare-options.md: an object that left git and is kept does not make the Application OutOfSync, which
 * would be synced again and again.
 */
const NOT_EXTRANEOUS: Annotations = { 'argocd.argoproj.io/compare-options': 'IgnoreExtraneous' };

const isKept = ({ metadata }: KubernetesObject): boolean =>
  Object.entries(KEEP_ANNOTATIONS).every(([key, value]) => metadata.annotations?.[key] === value);

/**
 * What a controller must find on an object. Argo CD waits for the health of each wave but the last, and one node that is away keeps
 * a DaemonSet progressing for ever, so only CRDs and Namespaces come before the rest. Flux replaces `${…}` where a Kustomization has
 * `postBuild`: objects with scripts must not be changed. `undefined` where no object needs any.
 */
export function deliveryAnnotations({ argocd, flux }: GitOps): ((object: KubernetesObject) => Annotations) | undefined {
  if (argocd !== undefined) {
    const isFirst = (object: KubernetesObject) => ['crds', 'base'].includes(deliveryGroup({ folder: '', object }));
    return (object) => ({ ...(isFirst(object) && FIRST_WAVE), ...(isKept(object) && NOT_EXTRANEOUS) });
  }
  if (flux !== undefined) return (object) => (JSON.stringify(object).includes('${') ? NOT_SUBSTITUTED : {});
  return undefined;
}
