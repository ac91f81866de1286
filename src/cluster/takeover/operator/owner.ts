import { NETWORK_OPERATOR_GROUP } from '../../../shared/contract/network-operator.js';
import type { ListedObject, OwnerReference } from '../../../shared/kubernetes/listed-object.js';

/** Who installed an object and changes it back or brings it back. */
export type OperatorOwner =
  /** A release of Helm, whose uninstall deletes what its manifest lists. */
  | { readonly kind: 'helm'; readonly namespace: string; readonly name: string }
  /** The Operator Lifecycle Manager; the name is that of the ClusterServiceVersion. */
  | { readonly kind: 'olm'; readonly namespace: string; readonly name: string }
  /** An Application of Argo CD; without a name where only its field manager shows it. */
  | { readonly kind: 'argocd'; readonly name?: string }
  /** A Kustomization or HelmRelease of Flux; without a name where only its field manager shows it. */
  | {
      readonly kind: 'flux';
      readonly resource: 'Kustomization' | 'HelmRelease';
      readonly namespace?: string;
      readonly name?: string;
    }
  /** None of these: a person applied it. */
  | { readonly kind: 'manifests' };

/**
 * All owners of an object that its labels, annotations, owner references and field managers show, those that bring it back first:
 * a HelmRelease of Flux is beside its release of Helm. `manifests` where there is none.
 */
export function ownersOf(object: ListedObject): readonly OperatorOwner[] {
  const owners = [argoOwner, fluxOwner, olmOwner, helmOwner].flatMap((read) => read(object) ?? []);
  return owners.length === 0 ? [{ kind: 'manifests' }] : owners;
}

/**
 * Argo CD tracks by an annotation (the default since 3.0) or by a label, which may be `app.kubernetes.io/instance`, as charts set it,
 * too. Its field manager shows it in each case.
 */
function argoOwner(object: ListedObject): OperatorOwner | undefined {
  const { annotations = {}, labels = {} } = object.metadata ?? {};
  const tracked = annotations['argocd.argoproj.io/tracking-id']?.split(':')[0] ?? labels['argocd.argoproj.io/instance'];
  if (tracked !== undefined) return { kind: 'argocd', name: tracked };
  if (!hasManager(object, /^argocd-/)) return undefined;
  const name = labels['app.kubernetes.io/instance'];
  return { kind: 'argocd', ...(name !== undefined && { name }) };
}

const FLUX = [
  { resource: 'HelmRelease', prefix: 'helm.toolkit.fluxcd.io', manager: /^helm-controller$/ },
  { resource: 'Kustomization', prefix: 'kustomize.toolkit.fluxcd.io', manager: /^kustomize-controller$/ },
] as const;

function fluxOwner(object: ListedObject): OperatorOwner | undefined {
  const { labels = {} } = object.metadata ?? {};
  for (const { resource, prefix, manager } of FLUX) {
    const name = labels[`${prefix}/name`];
    const namespace = labels[`${prefix}/namespace`];
    if (name !== undefined && namespace !== undefined) return { kind: 'flux', resource, namespace, name };
    if (hasManager(object, manager)) return { kind: 'flux', resource };
  }
  return undefined;
}

function olmOwner({ metadata = {} }: ListedObject): OperatorOwner | undefined {
  const { labels = {}, ownerReferences = [], namespace = '' } = metadata;
  const owner = ownerReferences.find(({ kind }) => kind === 'ClusterServiceVersion');
  if (owner !== undefined) return { kind: 'olm', namespace, name: owner.name };
  if (labels['olm.owner.kind'] !== 'ClusterServiceVersion') return undefined;
  return { kind: 'olm', namespace: labels['olm.owner.namespace'] ?? namespace, name: labels['olm.owner'] ?? '' };
}

/** `helm template` and Argo CD set the label `app.kubernetes.io/managed-by: Helm` without a release: only these annotations have one. */
function helmOwner({ metadata = {} }: ListedObject): OperatorOwner | undefined {
  const { annotations = {}, namespace = '' } = metadata;
  const name = annotations['meta.helm.sh/release-name'];
  if (name === undefined) return undefined;
  return { kind: 'helm', namespace: annotations['meta.helm.sh/release-namespace'] ?? namespace, name };
}

function hasManager({ metadata }: ListedObject, pattern: RegExp): boolean {
  return metadata?.managedFields?.some(({ manager = '' }) => pattern.test(manager)) === true;
}

/** Whether an object, or an owner that a reference names, is a custom resource of the operator. */
export function isCustomResource({ apiVersion = '' }: Pick<OwnerReference, 'apiVersion'>): boolean {
  return apiVersion.startsWith(`${NETWORK_OPERATOR_GROUP}/`);
}

/** The custom resources of the operator that own an object. */
export function customResourcesOwning({ metadata }: ListedObject): readonly OwnerReference[] {
  return (metadata?.ownerReferences ?? []).filter(isCustomResource);
}

/** An owner in words. */
export function ownerText(owner: OperatorOwner): string {
  switch (owner.kind) {
    case 'helm':
      return `the release ${owner.namespace}/${owner.name} of Helm`;
    case 'olm':
      return `the ClusterServiceVersion ${owner.namespace}/${owner.name} of OLM`;
    case 'argocd':
      return owner.name === undefined ? 'an Application of Argo CD' : `the Application ${owner.name} of Argo CD`;
    case 'flux':
      return owner.name === undefined
        ? `a ${owner.resource} of Flux`
        : `the ${owner.resource} ${owner.namespace ?? ''}/${owner.name} of Flux`;
    case 'manifests':
      return 'no tool';
  }
}
