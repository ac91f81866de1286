import * as z from 'zod';
import { labelMap, labelValue } from '../../shared/kubernetes/fields.js';
import { isDnsLabel, isDnsSubdomain } from '../../shared/kubernetes/names.js';
import { namedSchema } from '../../shared/kubernetes/api/object-schema.js';
import type {
  KubernetesAffinity,
  KubernetesContainer,
  KubernetesDaemonSetUpdateStrategy,
  KubernetesNetworkPolicyEgressRule,
  KubernetesNetworkPolicyIngressRule,
  KubernetesNodeSelectorRequirement,
  KubernetesPodSecurityContext,
  KubernetesSecurityContext,
} from '../model/kubernetes-types.js';
import { nameOf } from '../model/shapes/object-name.js';
import { nodeAffinity, toleration } from '../model/shapes/pod.js';
import { MAX_INT32, quantity } from '../model/shapes/text.js';
import { strictObject } from '../../shared/lib/strict-object.js';

/** Fields that the sections of several add-ons have. */

/** Types of Kubernetes in sections. */
interface KubernetesTypes {
  readonly Affinity: KubernetesAffinity;
  readonly Container: KubernetesContainer;
  readonly DaemonSetUpdateStrategy: KubernetesDaemonSetUpdateStrategy;
  readonly NetworkPolicyEgressRule: KubernetesNetworkPolicyEgressRule;
  readonly NetworkPolicyIngressRule: KubernetesNetworkPolicyIngressRule;
  readonly PodSecurityContext: KubernetesPodSecurityContext;
  readonly SecurityContext: KubernetesSecurityContext;
}

/** A part of a Kubernetes object, such as a `Container`, which is rendered unchanged. */
export function kubernetesType<Name extends keyof KubernetesTypes>(name: Name, description: string) {
  const schema = namedSchema(name) as unknown as z.ZodType<KubernetesTypes[Name], KubernetesTypes[Name]>;
  return schema.describe(description);
}

export const count = z.int().min(0).max(MAX_INT32);

export const objectName = z
  .string()
  .refine(isDnsSubdomain, { error: 'must be a name: lower-case letters, digits, `-` and `.`' });

export const nameOrNone = z
  .string()
  .refine((name) => name === '' || isDnsSubdomain(name), { error: 'must be a name, or empty' });

export const port = z.int().min(1).max(65_535);

/** A port that is rendered as text: the charts quote it, and also accept a number. */
export const portText = z
  .union([z.string().regex(/^[1-9]\d{0,4}$/, { error: 'must be a port' }), port])
  .transform(String);

export const resources = (limits: Record<string, string>, requests: Record<string, string>) =>
  strictObject(() => ({
    limits: z.record(z.string(), quantity).default(limits).describe('The most that the container may use.'),
    requests: z.record(z.string(), quantity).default(requests).describe('What the scheduler sets aside.'),
  }))
    .prefault({})
    .describe('Compute resources.');

/** Affinity of pods. The node affinity is checked like that of policies. */
export const affinity = (description: string) =>
  kubernetesType('Affinity', description).superRefine(({ nodeAffinity: given }, context) => {
    // Misspelt keys are reported elsewhere.
    if (given === undefined || context.issues.length > 0) return;
    for (const issue of nodeAffinity.safeParse(given).error?.issues ?? []) {
      context.addIssue({ ...issue, path: ['nodeAffinity', ...issue.path] });
    }
  });

/** Value of the label `app.kubernetes.io/instance`: the name of the Helm release that installed the operator before. */
export const releaseName = () =>
  labelValue.min(1).default('network-operator').describe('Value of the label `app.kubernetes.io/instance`.');

export const pullSecrets = () =>
  z
    .array(strictObject(() => ({ name: nameOf('Secret', objectName.describe('Name of the Secret.')) })))
    .default([])
    .describe('Secrets with registry credentials.');

export const namespaceOverride = (description: string) =>
  z
    .string()
    .refine((name) => name === '' || isDnsLabel(name), { error: 'must be the name of a namespace' })
    .default('')
    .describe(description);

const CONTROL_PLANE_ROLES = ['node-role.kubernetes.io/master', 'node-role.kubernetes.io/control-plane'];

/**
 * Placement of an operator's pods: they prefer the control plane and tolerate its taints.
 *
 * @param requirement the operator and the values of the affinity's expression for the label of a role
 */
export const placement = (requirement: Omit<KubernetesNodeSelectorRequirement, 'key'>) => ({
  tolerations: z
    .array(toleration)
    .default(CONTROL_PLANE_ROLES.map((key) => ({ key, operator: 'Exists' as const, effect: 'NoSchedule' as const })))
    .describe('Tolerations of its pods.'),
  nodeSelector: labelMap.default({}).describe('Nodes that its pods may run on.'),
  affinity: affinity('Affinity of its pods. Default: nodes of the control plane rather than others.').default({
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: CONTROL_PLANE_ROLES.map((key) => ({
        weight: 1,
        preference: { matchExpressions: [{ key, ...requirement }] },
      })),
    },
  }),
});
