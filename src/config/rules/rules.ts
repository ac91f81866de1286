import { allComponents } from '../../components/registry.js';
import { networkKinds } from '../../networks/registry.js';
import type { Rule } from '../config.js';
import { clusterPolicyName } from './cluster-policy-name.js';
import { containerAmounts, containerName } from './container-resources.js';
import { driverGateCoverage, driverGateLabel } from './driver-gate.js';
import { driverWithoutPool } from './driver-without-pool.js';
import { imageComplete, imageReferenceValid } from './image-complete.js';
import { networkNames } from './network-names.js';
import { nodePolicyName } from './node-policy-name.js';
import { nodePolicyOverlap } from './node-policy-overlap.js';
import { nodePolicyWithoutPool } from './node-policy-without-pool.js';
import { nodePoolsConsistent } from './node-pools.js';
import { releaseKnown } from './release.js';
import { sectionConflict } from './section-conflict.js';
import { settingWithoutCompanion } from './without-companion.js';

/** Every rule over the whole configuration. */
export const rules: readonly Rule[] = [
  clusterPolicyName,
  containerAmounts,
  containerName,
  driverGateCoverage,
  driverGateLabel,
  driverWithoutPool,
  imageComplete,
  imageReferenceValid,
  networkNames,
  nodePolicyName,
  nodePolicyOverlap,
  nodePolicyWithoutPool,
  nodePoolsConsistent,
  releaseKnown,
  sectionConflict,
  settingWithoutCompanion,
  ...allComponents.flatMap((component) => component.rules),
  ...networkKinds.flatMap((kind) => kind.rules),
];
