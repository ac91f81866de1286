import type { ComputeResources } from '../../../shared/kubernetes/types.js';
import { resourcesOr } from '../pod-parts.js';
import type { NicConfigurationOperatorSpec } from './schema.js';

/**
 * Compute resources of a container. The section of either image may have entries for both containers; of two entries
 * for one, the daemon's counts (network-operator b06827e0, pkg/state/state_nic_configuration_operator.go).
 */
export function resourcesOf(
  { operator, configurationDaemon }: NicConfigurationOperatorSpec,
  container: string,
  own: ComputeResources,
): ReturnType<typeof resourcesOr> {
  const entries = [operator, configurationDaemon].flatMap((image) => image.containerResources ?? []);
  return resourcesOr({ ...operator, containerResources: entries }, container, own);
}
