import { addOnShape } from '../../addons/all.js';
import { clusterSpec, WEFT_API_VERSION } from '../../model/cluster.js';
import { documentOf } from '../../model/shapes/document.js';

export const cluster = documentOf(
  WEFT_API_VERSION,
  'Cluster',
  clusterSpec.extend(addOnShape).describe('A cluster, as far as manifests depend on it.'),
).describe('What the operator would have learnt from the live cluster or from its Helm values.');
