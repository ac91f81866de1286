import type { ServedKind } from '../../shared/kube-client/discovery.js';
import type { Resource } from '../../shared/kube-client/paths.js';
import { SHAPES } from '../../shared/kubernetes/shapes/kinds.js';

interface Kind extends Resource {
  /** Others install its API. */
  readonly isOptional?: true;
}

/** The kinds without a shape: of their objects only the metadata are checked. */
const OTHERS = {
  Namespace: { apiVersion: 'v1', plural: 'namespaces' },
  Event: { apiVersion: 'v1', plural: 'events' },
  Secret: { apiVersion: 'v1', plural: 'secrets' },
  CronJob: { apiVersion: 'batch/v1', plural: 'cronjobs' },
  CustomResourceDefinition: { apiVersion: 'apiextensions.k8s.io/v1', plural: 'customresourcedefinitions' },
  ValidatingWebhookConfiguration: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    plural: 'validatingwebhookconfigurations',
  },
  MutatingWebhookConfiguration: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    plural: 'mutatingwebhookconfigurations',
  },
  ClusterServiceVersion: {
    ...{ apiVersion: 'operators.coreos.com/v1alpha1', plural: 'clusterserviceversions' },
    isOptional: true,
  },
  Subscription: { apiVersion: 'operators.coreos.com/v1alpha1', plural: 'subscriptions', isOptional: true },
  Application: { apiVersion: 'argoproj.io/v1alpha1', plural: 'applications', isOptional: true },
  Kustomization: { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', plural: 'kustomizations', isOptional: true },
  HelmRelease: { apiVersion: 'helm.toolkit.fluxcd.io/v2', plural: 'helmreleases', isOptional: true },
} as const satisfies Readonly<Record<string, Kind>>;

/** Where the API server has the objects of each kind that commands name. Other kinds are found by what the cluster serves. */
const KINDS = { ...SHAPES, ...OTHERS };
export type KindName = keyof typeof KINDS;

/** A kind with its path. */
export interface LocatedKind extends Kind {
  readonly kind: string;
  /** Absent for kinds that commands name: they ask for them where they are. */
  readonly isNamespaced?: boolean;
}

export function locatedKind(kind: KindName | ServedKind): LocatedKind {
  return typeof kind === 'string' ? { kind, ...KINDS[kind] } : kind;
}

/** The kinds that components have, as `apiVersion kind`: objects of theirs that are not rendered any more are looked for in these. */
export const COMPONENT_KINDS: readonly string[] = [
  ...['v1 ConfigMap', 'v1 Service', 'v1 ServiceAccount', 'apps/v1 DaemonSet', 'apps/v1 Deployment'],
  ...['batch/v1 CronJob', 'batch/v1 Job'],
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map((kind) => `rbac.authorization.k8s.io/v1 ${kind}`),
  'k8s.cni.cncf.io/v1 NetworkAttachmentDefinition',
];
