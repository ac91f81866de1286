import { COMPANION_COMPONENT } from '../contract/labels.js';
import { apiGroup } from '../kubernetes/names.js';

/** What is applied together. `base` has what others need to be there. */
export type DeliveryGroup = 'crds' | 'base' | 'components' | 'companion';

/** An object, as far as its group depends on it. */
interface Grouped {
  readonly folder: string;
  readonly object: { readonly apiVersion: string; readonly kind: string };
}

/** The group of an object. Only the first two groups are waited for, because nothing in them depends on a node. */
export function deliveryGroup({ folder, object }: Grouped): DeliveryGroup {
  const { kind, apiVersion } = object;
  if (kind === 'CustomResourceDefinition') return 'crds';
  if (kind === 'Namespace' && apiGroup(apiVersion) === '') return 'base';
  return folder === COMPANION_COMPONENT ? 'companion' : 'components';
}
