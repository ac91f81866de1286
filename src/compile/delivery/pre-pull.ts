import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { INSTALL_DIGEST_ANNOTATION, PRE_PULL_DIGEST_LABEL, PRE_PULL_LABEL } from '../../shared/contract/labels.js';
import type { DriverPolicyOf, UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import type { KubernetesObject, PodTemplate } from '../../shared/kubernetes/types.js';

/** The user `nobody` of most images. OpenShift assigns a user of the namespace's range instead. */
const NOBODY = 65_534;
/** Resources of a sleeping process. */
const RESOURCES = { requests: { cpu: '1m', memory: '8Mi' }, limits: { memory: '32Mi' } };

/**
 * Adds a pre-pull DaemonSet for each driver DaemonSet if `upgrade.prePull` is set. Its pods sleep, but have the image
 * of the driver, so the kubelet pulls it. They run on the same nodes with the same pull secrets, without privileges or
 * host access.
 *
 * @param objects everything that is rendered for the configuration, patches applied
 */
export function addPrePull(
  scope: Construct,
  objects: readonly KubernetesObject[],
  { drivers, rollout }: UpgradePolicy,
  isOpenshift: boolean,
): void {
  if (!rollout.prePull) return;
  for (const driver of drivers) {
    if (driver.kind !== 'ofed') continue;
    for (const daemonSet of objects.filter((object) => isListed(object, driver))) {
      const content = prePullDaemonSet(daemonSet, driver, isOpenshift);
      new ApiObject(
        scope,
        `pre-pull-${daemonSet.metadata.name}`,
        content as ConstructorParameters<typeof ApiObject>[2],
      );
    }
  }
}

function isListed({ kind, metadata }: KubernetesObject, { namespace, policies }: DriverPolicyOf<'ofed'>): boolean {
  if (kind !== 'DaemonSet' || metadata.namespace !== namespace) return false;
  return policies.some(({ daemonSets }) => daemonSets.some(({ name }) => name === metadata.name));
}

function prePullDaemonSet(
  { metadata, ...rest }: KubernetesObject,
  driver: DriverPolicyOf<'ofed'>,
  isOpenshift: boolean,
): object {
  const { template } = rest['spec'] as { readonly template: PodTemplate };
  const name = `${metadata.name}-pre-pull`;
  const selected = { app: name, [PRE_PULL_LABEL]: driver.labelPrefix };
  const digest = metadata.annotations?.[INSTALL_DIGEST_ANNOTATION] ?? '';
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: metadata.namespace },
    spec: {
      selector: { matchLabels: selected },
      // All pods at once, because they only pull the image.
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } },
      template: {
        metadata: { labels: { ...selected, [PRE_PULL_DIGEST_LABEL]: digest } },
        spec: podSpec(template, driver, isOpenshift),
      },
    },
  };
}

function podSpec({ spec }: PodTemplate, { containerName }: DriverPolicyOf<'ofed'>, isOpenshift: boolean): object {
  const { nodeSelector, tolerations, imagePullSecrets, affinity } = spec as PodTemplate['spec'] & Placement;
  const container = spec.containers.find(({ name }) => name === containerName) ?? spec.containers[0];
  const nodeAffinity = affinity?.nodeAffinity;
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // A process with id 1 ignores SIGTERM by default.
    terminationGracePeriodSeconds: 0,
    ...(nodeSelector !== undefined && { nodeSelector }),
    ...(tolerations !== undefined && { tolerations }),
    ...(imagePullSecrets !== undefined && { imagePullSecrets }),
    ...(nodeAffinity !== undefined && { affinity: { nodeAffinity } }),
    securityContext: {
      runAsNonRoot: true,
      ...(!isOpenshift && { runAsUser: NOBODY }),
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'pre-pull',
        image: container?.image,
        imagePullPolicy: 'IfNotPresent',
        command: ['sleep', 'infinity'],
        resources: RESOURCES,
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  };
}

/** Where the pods of a driver run, and how their images are pulled. */
interface Placement {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly object[];
  readonly imagePullSecrets?: readonly object[];
  readonly affinity?: { readonly nodeAffinity?: object };
}
