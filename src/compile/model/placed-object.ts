import type { KubernetesObject } from '../../shared/kubernetes/types.js';

/** An object and its output folder. */
export interface PlacedObject {
  readonly folder: string;
  readonly object: KubernetesObject;
}
