import { namespacedName } from '../../shared/kubernetes/identity.js';
import { installDigest, type PodTemplateLike } from '../../shared/contract/install-digest.js';
import { INSTALL_DIGEST_ANNOTATION, NFD_LABELS, OFED_DRIVER_CONTAINER } from '../../shared/contract/labels.js';
import {
  constraintsOf,
  nodePlacement,
  type NodeConstraints,
  type PlacementNode,
} from '../../shared/kubernetes/selection/node-placement.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject, listAt, textAt, valueAt } from '../../shared/lib/json.js';
import { textsAt } from '../../cluster/changes/data.js';
import { isKept } from '../../cluster/changes/objects.js';
import { driverVersion } from './driver-version.js';

/** A driver DaemonSet of one side, and the nodes that it is for. */
export interface DriverSet extends NodeConstraints {
  /** `<namespace>/<name>`. */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** What the tag of the image says beside system and kernel, or the start of its digest. */
  readonly version: string;
  /** Install digest. */
  readonly digest: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly podLabels: Readonly<Record<string, string>>;
  /** Pods stay as they are until they are deleted; else its controller replaces them when the template changes. */
  readonly isOnDelete: boolean;
  /** Its annotations keep it in the cluster when it leaves the output. */
  readonly isKept: boolean;
  /** Whether its controller leaves a running pod there: a taint ends it only with the effect `NoExecute`. */
  readonly keepsPodOn: (node: PlacementNode) => boolean;
}

export function driverSetOf(object: KubernetesObject): DriverSet {
  const spec = valueAt(object, ['spec', 'template', 'spec']);
  const constraints = constraintsOf(isObject(spec) ? spec : {});
  const { nodeSelector: labels } = constraints;
  const { accepts } = nodePlacement(constraints);
  const containers = listAt(spec, 'containers');
  const image = textAt(
    containers.find((one) => textAt(one, 'name') === OFED_DRIVER_CONTAINER),
    'image',
  );
  return {
    ...constraints,
    id: namespacedName(object),
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? '',
    image: image ?? '',
    version: driverVersion(image ?? '', {
      osName: labels[NFD_LABELS.osName] ?? '',
      osVersion: labels[NFD_LABELS.osVersion] ?? '',
      kernel: labels[NFD_LABELS.kernel] ?? '',
    }),
    digest: digestOf(object),
    labels: Object.fromEntries(textsAt(object, 'metadata', 'labels')),
    podLabels: Object.fromEntries(textsAt(object, 'spec', 'template', 'metadata', 'labels')),
    isOnDelete: textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete',
    isKept: isKept(object),
    keepsPodOn: (node) => accepts({ ...node, taints: node.taints.filter(({ effect }) => effect === 'NoExecute') }),
  };
}

/** The digest of the template; where a template of an old tree is not an object, what its annotation says. */
function digestOf(daemonSet: KubernetesObject): string {
  try {
    return installDigest(valueAt(daemonSet, ['spec', 'template']) as PodTemplateLike);
  } catch {
    return textsAt(daemonSet, 'metadata', 'annotations').get(INSTALL_DIGEST_ANNOTATION) ?? '';
  }
}
