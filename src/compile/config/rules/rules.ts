import type { Rule } from '../../model/config.js';
import { maintenanceOperatorDeployed } from '../../addons/maintenance-operator/rules/deployed.js';
import { nicRuleReplaced } from '../../addons/node-feature-discovery/rules/own-rule.js';
import {
  externalDrainerDeployed,
  externalDrainerEnabled,
} from '../../addons/sriov-network-operator/rules/external-drainer.js';
import { nicTemplatesApplied } from '../../components/nic-configuration-operator/rules/templates.js';
import { webhookNotServed } from '../../components/nv-ipam-cni/rules/webhook.js';
import {
  configMapFilled,
  configMapKnown,
  configMapMountable,
  configMapsDiffer,
  directoryKnown,
} from '../../components/ofed-driver/rules/config-maps.js';
import { driverDownloads } from '../../components/ofed-driver/rules/cut-off.js';
import { driverDigest } from '../../components/ofed-driver/rules/digest.js';
import { driverEnvironmentKnown, driverEnvironmentRead } from '../../components/ofed-driver/rules/environment.js';
import { precompiledKnown, toolkitKnown } from '../../components/ofed-driver/rules/images.js';
import { poolNameable, poolsAgree, poolsApart } from '../../components/ofed-driver/rules/pools.js';
import { driverPublished } from '../../components/ofed-driver/rules/published.js';
import { safeLoadIsOne, safeLoadNeedsAutoUpgrade } from '../../components/ofed-driver/rules/safe-load.js';
import { driverSystemsKnown } from '../../components/ofed-driver/rules/systems.js';
import { upgradeLimit } from '../../components/ofed-driver/rules/upgrade-limit.js';
import { driverVersion, driverVersionWithoutSystem } from '../../components/ofed-driver/rules/version.js';
import { rdmaSelectorValues } from '../../components/rdma-shared-device-plugin/rules/selector-values.js';
import { rdmaConfigAdmitted } from '../../components/rdma-shared-device-plugin/rules/webhook.js';
import { xPlaneResources, xPlaneVersion } from '../../components/spectrum-x-operator/rules/x-plane.js';
import { nodePolicyLabel } from '../../components/sriov-device-plugin/rules/policy-name.js';
import { sriovSelectorValues } from '../../components/sriov-device-plugin/rules/selector-values.js';
import { devicesTaken } from '../../components/sriov-device-plugin/rules/taken-devices.js';
import { sriovConfigAdmitted } from '../../components/sriov-device-plugin/rules/webhook.js';
import { addOnImages } from './add-ons/add-on-images.js';
import { gateLabelSelected } from './add-ons/gate-label.js';
import { olderPolicySection } from './add-ons/older-section.js';
import { addOnOnOpenshift } from './add-ons/openshift.js';
import { pullSecretsOfGlobal, registryOfGlobal } from './add-ons/private-registry.js';
import { addOnUngated } from './add-ons/ungated-add-on.js';
import { mountedConfigMapKnown, mountedConfigMapValid } from './config-maps/mounted-config-maps.js';
import { addressOutsideRange, addressesOverlap } from './custom-resources/address-ranges.js';
import { deviceInTwoPlugins } from './custom-resources/device-in-two-plugins.js';
import { blocksForNodes } from './custom-resources/pool-blocks.js';
import { objectSelectsPool } from './custom-resources/selected-pools.js';
import {
  sriovObjectsAccepted,
  sriovPoliciesAlike,
  sriovPoliciesApart,
  sriovPolicyAccepted,
} from './custom-resources/sriov-webhook.js';
import {
  railPoolDefined,
  sriovObjectsRead,
  sriovPoolNeverDrained,
  sriovPoolOnce,
  sriovResourceMade,
  sriovResourceTwice,
} from './custom-resources/sriov.js';
import {
  generatedDestination,
  kustomizationNames,
  oneController,
  reservedClusterName,
} from './gitops/gitops-settings.js';
import { imageComplete, imageReferenceValid } from './images/image-complete.js';
import { imageNotTooOld } from './images/image-too-old.js';
import { driverWithoutInitContainer, initContainerKnown } from './images/init-container.js';
import { tagKnown } from './images/known-tag.js';
import { minimumVersion } from './images/minimum-version.js';
import { podImages } from './images/pod-images.js';
import { releaseKnown } from './images/release.js';
import { stagingRegistry } from './images/staging-registry.js';
import { builtInKindKnown, kindServed } from './kinds/built-in-kinds.js';
import { foreignApis } from './kinds/foreign-apis.js';
import { operatorInstalled } from './kinds/installed-operators.js';
import { knownToRelease } from './kinds/known-to-release.js';
import { objectNotManaged } from './kinds/managed-objects.js';
import { namespaceSecurity } from './kinds/namespace-security.js';
import { kindAlmostKnown } from './kinds/near-kinds.js';
import { objectsRead } from './kinds/unread-objects.js';
import { workloadSelectsItsPods } from './kinds/workload-selectors.js';
import { interfaceNames, mtuOfNic } from './network-values/interface-names.js';
import { ipamHasRange, ipamOfOneNode, ipamOnIpoib } from './network-values/ipam-addresses.js';
import { ipamKeysKnown } from './network-values/ipam-keys.js';
import { networkTextsJson } from './network-values/network-texts.js';
import { networkValuesRead } from './network-values/refused-values.js';
import { jsonKeysOnce } from './network-values/repeated-keys.js';
import { sriovRootDevices } from './network-values/root-devices.js';
import { whereaboutsFiles } from './network-values/whereabouts-files.js';
import { bandwidthWithoutVeth } from './networks/bandwidth.js';
import { ipamPoolDefined } from './networks/ipam-pools.js';
import { ipamTypeSpelt, pluginTypeSpelt } from './networks/ipam-type.js';
import { networkCapabilities } from './networks/network-capabilities.js';
import { networkLabels } from './networks/network-labels.js';
import { networkNames } from './networks/network-names.js';
import { networkResourceOffered } from './networks/network-resources.js';
import { podNetworkDefined } from './networks/pod-networks.js';
import { podResourceOffered } from './networks/pod-resources.js';
import { resourceOfferedTwice } from './networks/resource-offered-twice.js';
import { clusterPolicyName } from './policies/cluster-policy-name.js';
import { containerAmounts, containerName } from './policies/container-resources.js';
import { extendedFolders } from './policies/extended-folders.js';
import { nodePolicyName, nodePolicyNameAdmitted } from './policies/node-policy-name.js';
import { nodePolicyOverlap } from './policies/node-policy-overlap.js';
import { nodePolicyWithoutPool } from './policies/node-policy-without-pool.js';
import { objectWithoutOwner } from './policies/object-owners.js';
import { sectionConflict } from './policies/section-conflict.js';
import { driverGateCoverage, driverGateLabel } from './pools/driver-gate.js';
import { driverWithoutPool } from './pools/driver-without-pool.js';
import { nodePoolsConsistent } from './pools/node-pools.js';
import { poolKernelOfSystem } from './pools/pool-kernel.js';
import { poolSystemKnown, poolSystemSpelt } from './pools/pool-system.js';
import { systemPriorityAllowed } from './pools/system-priority.js';
import { uninstallApart, uninstallKnown } from './pools/uninstall.js';
import { neededObjectKnown } from './references/needed-objects.js';
import { neededSecretKnown } from './references/needed-secrets.js';
import { clearSecrets } from './secrets/clear-secrets.js';
import { companionSettings, scheduleNeeded } from './upgrade/companion-settings.js';
import { gpuDriverApart, gpuDriverUpgraded } from './upgrade/gpu-driver.js';
import { maintenanceOfOthers } from './upgrade/maintenance-operator.js';
import { validationResourceOffered } from './upgrade/validation-resources.js';

/** Every rule over the whole configuration. `npm run rules` writes this file from the files of the rules. */
export const rules: readonly Rule[] = [
  maintenanceOperatorDeployed,
  nicRuleReplaced,
  externalDrainerDeployed,
  externalDrainerEnabled,
  nicTemplatesApplied,
  webhookNotServed,
  configMapFilled,
  configMapKnown,
  configMapMountable,
  configMapsDiffer,
  directoryKnown,
  driverDownloads,
  driverDigest,
  driverEnvironmentKnown,
  driverEnvironmentRead,
  precompiledKnown,
  toolkitKnown,
  poolNameable,
  poolsAgree,
  poolsApart,
  driverPublished,
  safeLoadIsOne,
  safeLoadNeedsAutoUpgrade,
  driverSystemsKnown,
  upgradeLimit,
  driverVersion,
  driverVersionWithoutSystem,
  rdmaSelectorValues,
  rdmaConfigAdmitted,
  xPlaneResources,
  xPlaneVersion,
  nodePolicyLabel,
  sriovSelectorValues,
  devicesTaken,
  sriovConfigAdmitted,
  addOnImages,
  gateLabelSelected,
  olderPolicySection,
  addOnOnOpenshift,
  pullSecretsOfGlobal,
  registryOfGlobal,
  addOnUngated,
  mountedConfigMapKnown,
  mountedConfigMapValid,
  addressOutsideRange,
  addressesOverlap,
  deviceInTwoPlugins,
  blocksForNodes,
  objectSelectsPool,
  sriovObjectsAccepted,
  sriovPoliciesAlike,
  sriovPoliciesApart,
  sriovPolicyAccepted,
  railPoolDefined,
  sriovObjectsRead,
  sriovPoolNeverDrained,
  sriovPoolOnce,
  sriovResourceMade,
  sriovResourceTwice,
  generatedDestination,
  kustomizationNames,
  oneController,
  reservedClusterName,
  imageComplete,
  imageReferenceValid,
  imageNotTooOld,
  driverWithoutInitContainer,
  initContainerKnown,
  tagKnown,
  minimumVersion,
  podImages,
  releaseKnown,
  stagingRegistry,
  builtInKindKnown,
  kindServed,
  foreignApis,
  operatorInstalled,
  knownToRelease,
  objectNotManaged,
  namespaceSecurity,
  kindAlmostKnown,
  objectsRead,
  workloadSelectsItsPods,
  interfaceNames,
  mtuOfNic,
  ipamHasRange,
  ipamOfOneNode,
  ipamOnIpoib,
  ipamKeysKnown,
  networkTextsJson,
  networkValuesRead,
  jsonKeysOnce,
  sriovRootDevices,
  whereaboutsFiles,
  bandwidthWithoutVeth,
  ipamPoolDefined,
  ipamTypeSpelt,
  pluginTypeSpelt,
  networkCapabilities,
  networkLabels,
  networkNames,
  networkResourceOffered,
  podNetworkDefined,
  podResourceOffered,
  resourceOfferedTwice,
  clusterPolicyName,
  containerAmounts,
  containerName,
  extendedFolders,
  nodePolicyName,
  nodePolicyNameAdmitted,
  nodePolicyOverlap,
  nodePolicyWithoutPool,
  objectWithoutOwner,
  sectionConflict,
  driverGateCoverage,
  driverGateLabel,
  driverWithoutPool,
  nodePoolsConsistent,
  poolKernelOfSystem,
  poolSystemKnown,
  poolSystemSpelt,
  systemPriorityAllowed,
  uninstallApart,
  uninstallKnown,
  neededObjectKnown,
  neededSecretKnown,
  clearSecrets,
  companionSettings,
  scheduleNeeded,
  gpuDriverApart,
  gpuDriverUpgraded,
  maintenanceOfOthers,
  validationResourceOffered,
];
