import type { ServedKind } from '../../shared/kube-client/discovery.js';
import type { Resource } from '../../shared/kube-client/paths.js';
import { SHAPES } from '../../shared/kubernetes/shapes/kinds.js';

interface Kind extends Resource {
  /** Others install its API. */
  readonly isOptional?: true;
}

const always = (apiVersion: string, plural: string): Kind => ({ apiVersion, plural });
const optional = (apiVersion: string, plural: string): Kind => ({ apiVersion, plural, isOptional: true });
const WEBHOOKS = 'admissionregistration.k8s.io/v1';

/** The kinds without a shape: of their objects only the metadata are checked. */
const OTHERS = {
  Namespace: always('v1', 'namespaces'),
  Event: always('v1', 'events'),
  Secret: always('v1', 'secrets'),
  CronJob: always('batch/v1', 'cronjobs'),
  CustomResourceDefinition: always('apiextensions.k8s.io/v1', 'customresourcedefinitions'),
  ValidatingWebhookConfiguration: always(WEBHOOKS, 'validatingwebhookconfigurations'),
  MutatingWebhookConfiguration: always(WEBHOOKS, 'mutatingwebhookconfigurations'),
  ClusterServiceVersion: optional('operators.coreos.com/v1alpha1', 'clusterserviceversions'),
  Subscription: optional('operators.coreos.com/v1alpha1', 'subscriptions'),
  Application: optional('argoproj.io/v1alpha1', 'applications'),
  Kustomization: optional('kustomize.toolkit.fluxcd.io/v1', 'kustomizations'),
  HelmRelease: optional('helm.toolkit.fluxcd.io/v2', 'helmreleases'),
};

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
