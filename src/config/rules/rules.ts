import { allComponents } from '../../components/all.js';
import { networkKinds } from '../../networks/all.js';
import type { Rule } from '../../model/config.js';
import { clusterPolicyName } from './cluster-policy-name.js';
import { containerAmounts, containerName } from './container-resources.js';
import { driverGateCoverage, driverGateLabel } from './driver-gate.js';
import { driverWithoutPool } from './driver-without-pool.js';
import { foreignApis } from './foreign-apis.js';
import { imageComplete, imageReferenceValid } from './image-complete.js';
import { initContainerKnown } from './init-container.js';
import { ipamPoolDefined } from './ipam-pools.js';
import { ipamTypeSpelt } from './ipam-type.js';
import { minimumVersion } from './minimum-version.js';
import { mountedConfigMapKnown, mountedConfigMapValid } from './mounted-config-maps.js';
import { kindAlmostKnown } from './near-kinds.js';
import { networkCapabilities } from './network-capabilities.js';
import { networkNames } from './network-names.js';
import { networkResourceOffered } from './network-resources.js';
import { nodePolicyName } from './node-policy-name.js';
import { nodePolicyOverlap } from './node-policy-overlap.js';
import { nodePolicyWithoutPool } from './node-policy-without-pool.js';
import { nodePoolsConsistent } from './node-pools.js';
import { objectWithoutOwner } from './object-owners.js';
import { poolSystemSpelt } from './pool-system.js';
import { releaseIncompatible } from './release-incompatible.js';
import { releaseKnown } from './release.js';
import { resourceOfferedTwice } from './resource-offered-twice.js';
import { sectionConflict } from './section-conflict.js';
import { validationResourceOffered } from './validation-resources.js';
import { settingWithoutCompanion } from './without-companion.js';

/** Every rule over the whole configuration. */
export const rules: readonly Rule[] = [
  clusterPolicyName,
  containerAmounts,
  containerName,
  driverGateCoverage,
  driverGateLabel,
  driverWithoutPool,
  foreignApis,
  imageComplete,
  imageReferenceValid,
  initContainerKnown,
  ipamPoolDefined,
  ipamTypeSpelt,
  kindAlmostKnown,
  minimumVersion,
  mountedConfigMapKnown,
  mountedConfigMapValid,
  networkCapabilities,
  networkNames,
  networkResourceOffered,
  nodePolicyName,
  nodePolicyOverlap,
  nodePolicyWithoutPool,
  nodePoolsConsistent,
  objectWithoutOwner,
  poolSystemSpelt,
  releaseIncompatible,
  releaseKnown,
  resourceOfferedTwice,
  sectionConflict,
  settingWithoutCompanion,
  validationResourceOffered,
  ...allComponents.flatMap((component) => component.rules),
  ...networkKinds.flatMap((kind) => kind.rules),
];
