import { virtualFunctionsOf } from '../addons/all.js';
import { DS_OWNER_LABEL, INSTALL_DIGEST_ANNOTATION } from '../../shared/contract/labels.js';
import { onlyArchitecture } from '../../shared/contract/driver-placement.js';
import { podGate } from '../../shared/contract/pod-gate.js';
import {
  upgradePolicySchema,
  type UpgradePolicy,
  type UpgradePolicyInput,
} from '../../shared/contract/upgrade-policy.js';
import type { Rollout } from '../../shared/contract/upgrade-settings.js';
import { constraintsOf } from '../../shared/kubernetes/selection/node-placement.js';
import { matchesSelector, selectorOf } from '../../shared/kubernetes/selection/label-selector.js';
import type { KubernetesObject, PodTemplate, StringMap } from '../../shared/kubernetes/types.js';
import { compareText, isObject, valueAt } from '../../shared/lib/json.js';
import type { Cluster, Config, Instance } from '../model/config.js';
import { uninstallsAll, uninstallsAny, uninstalledPools } from '../model/uninstall.js';
import { configuredDrivers, type ConfiguredDriver } from './drivers.js';
import { gpuDriverPolicy } from './gpu-driver.js';
import { virtualFunctionPolicy } from './virtual-functions.js';

type OfedInput = Extract<UpgradePolicyInput['drivers'][number], { readonly kind: 'ofed' }>;

/**
 * The policy document of the companion: the upgrade settings of the input, the rendered driver DaemonSets, the selected ones of the GPU
 * driver, and virtual functions.
 *
 * @param objects everything that is rendered for the configuration, patches applied: a DaemonSet's install digest and startup
 *   probe are those of the object
 */
export function toUpgradePolicies(config: Config, objects: readonly KubernetesObject[]): UpgradePolicy {
  const daemonSets = objects.filter(isDaemonSet);
  const { namespace, spec } = config.cluster;
  const { gpuDriver, upgrade } = spec;
  const functions = virtualFunctionsOf(config);
  return upgradePolicySchema.parse({
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'UpgradePolicy',
    paused: upgrade.paused,
    rollout: rolloutOf(upgrade),
    ...(upgrade.drainer === 'MaintenanceOperator' && { nodeMaintenance: upgrade.nodeMaintenance }),
    ...(functions && { sriovNodeStates: { namespace, resourcePrefix: `${functions.resourcePrefix}/` } }),
    drivers: [
      ...configuredDrivers(config).flatMap((configured) => driverOf(configured, config, daemonSets)),
      ...(gpuDriver === undefined ? [] : [gpuDriverPolicy(gpuDriver)]),
      ...(functions?.drain ? [virtualFunctionPolicy(functions, functions.drain, namespace, objects)] : []),
    ],
  } satisfies UpgradePolicyInput);
}

function driverOf(
  { driver, policies }: ConfiguredDriver,
  config: Config,
  daemonSets: readonly DaemonSet[],
): readonly OfedInput[] {
  const { cluster } = config;
  const uninstall = uninstallsAll(cluster);
  const isOwn = isSelected(driver.daemonSetSelector);
  const own = daemonSets.filter(isOwn).sort((a, b) => compareText(a.metadata.name, b.metadata.name));
  if (own.length === 0 && !uninstallsAny(cluster)) return [];
  const gate = gateOf(driver, cluster.spec.driver.gate, daemonSets);
  const architecture = onlyArchitecture(cluster.pools);
  return [
    {
      kind: driver.kind,
      namespace: cluster.namespace,
      daemonSetSelector: driver.daemonSetSelector,
      podSelector: driver.podSelector,
      containerName: driver.containerName,
      controllerPodSelector: driver.controllerPodSelector,
      ...(architecture !== undefined && { architecture }),
      uninstall,
      ...(gate && { gate }),
      policies: policies.map(({ instance, upgradePolicy }) => {
        const { owner } = instance;
        const going = uninstall ? [] : uninstalledNodes(config, instance);
        const listed = own.filter(({ metadata }) => metadata.labels?.[DS_OWNER_LABEL] === owner.label);
        return {
          name: owner.label,
          // An uninstall does not depend on `autoUpgrade`.
          upgradePolicy: {
            ...upgradePolicy,
            ...((uninstall || (going.length > 0 && listed.length === 0)) && { autoUpgrade: true }),
          },
          startupSeconds: Math.max(0, ...listed.map((one) => startupSeconds(one, driver.containerName))),
          daemonSets: listed.map(({ metadata }) => ({
            name: metadata.name,
            digest: metadata.annotations?.[INSTALL_DIGEST_ANNOTATION] ?? '',
          })),
          ...(going.length > 0 && { uninstall: [...going] }),
        };
      }),
    },
  ];
}

type UninstalledNodes = NonNullable<OfedInput['policies'][number]['uninstall']>[number];

/** The nodes of the pools from which the driver of a policy goes. */
function uninstalledNodes({ cluster, policies }: Config, { owner, affinity }: Instance): readonly UninstalledNodes[] {
  const { nodeAffinity } = constraintsOf({ affinity: { nodeAffinity: affinity } });
  const nodes = policies
    .filter((policy) => policy.owner.label === owner.label)
    .flatMap((policy) => uninstalledPools(cluster, policy))
    .map(({ labels }) => ({ nodeSelector: labels, ...(nodeAffinity && { nodeAffinity }) }) as UninstalledNodes);
  return [...new Map(nodes.map((one) => [JSON.stringify(one), one])).values()];
}

/** Settings that have a place of their own in the document. */
const OWN_PLACE: ReadonlySet<string> = new Set(['paused', 'drainer', 'nodeMaintenance']);

function rolloutOf(settings: Cluster['spec']['upgrade']): Rollout {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !OWN_PLACE.has(key))) as Rollout;
}

/** Selectors of pods that do not start, or are not scheduled, before the driver is loaded. */
function gateOf(
  { gateLabel: label }: ConfiguredDriver['driver'],
  kind: 'ready-file' | 'label',
  daemonSets: readonly DaemonSet[],
): OfedInput['gate'] {
  const podSelectors = [...new Set(daemonSets.filter(isGated).map(podSelectorOf))].sort(compareText);
  return kind === 'label' || podSelectors.length > 0 ? { kind, label, podSelectors } : undefined;
}

function isGated({ spec }: DaemonSet): boolean {
  return podGate(spec.template.spec) !== 'none';
}

function podSelectorOf({ spec: { selector } }: DaemonSet): string {
  return Object.entries(selector.matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .sort(compareText)
    .join(',');
}

/** How long the startup probe waits for the driver before the kubelet restarts its container. */
function startupSeconds({ spec: { template } }: DaemonSet, containerName: string): number {
  const probe = template.spec.containers.find(({ name }) => name === containerName)?.startupProbe;
  return probe === undefined ? 0 : probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold;
}

interface DaemonSet extends KubernetesObject {
  readonly spec: { readonly selector: { readonly matchLabels: StringMap }; readonly template: PodTemplate };
}

/** Whether a driver's selector matches the pods of a DaemonSet: the input may have other DaemonSets. */
function isDaemonSet(object: KubernetesObject): object is DaemonSet {
  return (
    object.kind === 'DaemonSet' &&
    object.apiVersion === 'apps/v1' &&
    isObject(valueAt(object, ['spec', 'template', 'spec'])) &&
    isObject(valueAt(object, ['spec', 'selector', 'matchLabels']))
  );
}

function isSelected(text: string): (object: KubernetesObject) => boolean {
  const selector = selectorOf(text);
  return ({ metadata }) => matchesSelector(selector, metadata.labels ?? {});
}
