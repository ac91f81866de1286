import { allComponents } from '../../components/all.js';
import { networkKinds } from '../../networks/all.js';
import type { Rule } from '../../model/config.js';
import { addOnImages } from './add-ons/add-on-images.js';
import { addOnOnOpenshift } from './add-ons/openshift.js';
import { olderPolicySection } from './add-ons/older-section.js';
import { gateLabelSelected } from './add-ons/gate-label.js';
import { addOnUngated } from './add-ons/ungated-add-on.js';
import { builtInKindKnown, kindServed } from './kinds/built-in-kinds.js';
import { workloadSelectsItsPods } from './kinds/workload-selectors.js';
import { addressesOverlap, addressOutsideRange } from './custom-resources/address-ranges.js';
import { railPoolDefined, sriovPoolOnce, sriovResourceMade, sriovResourceTwice } from './custom-resources/sriov.js';
import {
  sriovObjectsAccepted,
  sriovPoliciesAlike,
  sriovPoliciesApart,
  sriovPolicyAccepted,
} from './custom-resources/sriov-webhook.js';
import { clusterPolicyName } from './policies/cluster-policy-name.js';
import { containerAmounts, containerName } from './policies/container-resources.js';
import { driverGateCoverage, driverGateLabel } from './pools/driver-gate.js';
import { driverWithoutPool } from './pools/driver-without-pool.js';
import { poolTaintsTolerated } from './pools/pool-taints.js';
import { uninstallApart, uninstallKnown } from './pools/uninstall.js';
import {
  reservedClusterName,
  generatedDestination,
  kustomizationNames,
  oneController,
} from './gitops/gitops-settings.js';
import { foreignApis } from './kinds/foreign-apis.js';
import { imageComplete, imageReferenceValid } from './images/image-complete.js';
import { driverWithoutInitContainer, initContainerKnown } from './images/init-container.js';
import { ipamPoolDefined } from './networks/ipam-pools.js';
import { ipamTypeSpelt } from './networks/ipam-type.js';
import { minimumVersion } from './images/minimum-version.js';
import { mountedConfigMapKnown, mountedConfigMapValid } from './config-maps/mounted-config-maps.js';
import { kindAlmostKnown } from './kinds/near-kinds.js';
import { networkCapabilities } from './networks/network-capabilities.js';
import { networkLabels } from './networks/network-labels.js';
import { networkNames } from './networks/network-names.js';
import { networkResourceOffered } from './networks/network-resources.js';
import { nodePolicyName } from './policies/node-policy-name.js';
import { nodePolicyOverlap } from './policies/node-policy-overlap.js';
import { nodePolicyWithoutPool } from './policies/node-policy-without-pool.js';
import { nodePoolsConsistent } from './pools/node-pools.js';
import { objectWithoutOwner } from './policies/object-owners.js';
import { poolSystemKnown, poolSystemSpelt } from './pools/pool-system.js';
import { releaseIncompatible } from './images/release-incompatible.js';
import { releaseFinal } from './images/pre-release.js';
import { releaseKnown } from './images/release.js';
import { stagingRegistry } from './images/staging-registry.js';
import { resourceOfferedTwice } from './networks/resource-offered-twice.js';
import { sectionConflict } from './policies/section-conflict.js';
import { validationResourceOffered } from './upgrade/validation-resources.js';
import { companionSettings, scheduleNeeded } from './upgrade/companion-settings.js';

/** Every rule over the whole configuration. */
export const rules: readonly Rule[] = [
  reservedClusterName,
  addOnImages,
  addOnOnOpenshift,
  addOnUngated,
  addressesOverlap,
  addressOutsideRange,
  builtInKindKnown,
  clusterPolicyName,
  companionSettings,
  containerAmounts,
  containerName,
  driverGateCoverage,
  driverGateLabel,
  driverWithoutInitContainer,
  driverWithoutPool,
  foreignApis,
  generatedDestination,
  gateLabelSelected,
  imageComplete,
  imageReferenceValid,
  initContainerKnown,
  ipamPoolDefined,
  ipamTypeSpelt,
  kindAlmostKnown,
  kindServed,
  kustomizationNames,
  minimumVersion,
  mountedConfigMapKnown,
  mountedConfigMapValid,
  networkCapabilities,
  networkLabels,
  networkNames,
  networkResourceOffered,
  nodePolicyName,
  nodePolicyOverlap,
  nodePolicyWithoutPool,
  nodePoolsConsistent,
  objectWithoutOwner,
  oneController,
  olderPolicySection,
  poolSystemKnown,
  poolSystemSpelt,
  poolTaintsTolerated,
  railPoolDefined,
  releaseFinal,
  releaseIncompatible,
  releaseKnown,
  resourceOfferedTwice,
  sectionConflict,
  stagingRegistry,
  scheduleNeeded,
  sriovObjectsAccepted,
  sriovPoliciesAlike,
  sriovPoliciesApart,
  sriovPolicyAccepted,
  sriovPoolOnce,
  sriovResourceMade,
  sriovResourceTwice,
  uninstallApart,
  uninstallKnown,
  validationResourceOffered,
  workloadSelectsItsPods,
  ...allComponents.flatMap((component) => component.rules),
  ...networkKinds.flatMap((kind) => kind.rules),
];
