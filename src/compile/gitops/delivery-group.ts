import { COMPANION_COMPONENT } from '../../shared/contract/labels.js';
import { apiGroup } from '../../shared/kubernetes/names.js';

/** Objects that are applied together. `base` has objects that others require. */
export type DeliveryGroup = 'crds' | 'base' | 'components' | 'companion';

/** The part of an object that determines its group. */
interface Grouped {
  readonly folder: string;
  readonly object: { readonly apiVersion: string; readonly kind: string };
}

/**
 * The group of an object. Controllers wait only for the first two groups, because their objects do not depend on nodes.
 */
export function deliveryGroup({ folder, object }: Grouped): DeliveryGroup {
  const { kind, apiVersion } = object;
  if (kind === 'CustomResourceDefinition') return 'crds';
  if (kind === 'Namespace' && apiGroup(apiVersion) === '') return 'base';
  return folder === COMPANION_COMPONENT ? 'companion' : 'components';
}
