import { Construct } from 'constructs';
import { KEEP_ANNOTATIONS, POD_SECURITY_LABELS, POD_SECURITY_LEVEL } from '../../shared/contract/labels.js';
import { addObject } from '../../shared/kubernetes/objects.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';

interface OperatorNamespaceProps {
  readonly name: string;
  /** The Namespace document of the input, whose labels and annotations it has, too. */
  readonly given?: KubernetesObject | undefined;
}

/**
 * The namespace of the drivers. It allows privileged pods, which clusters with pod security otherwise refuse. It is
 * never pruned, because deleting it would remove all drivers.
 */
export class OperatorNamespace extends Construct {
  constructor(scope: Construct, id: string, { name, given }: OperatorNamespaceProps) {
    super(scope, id);
    addObject(this, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        annotations: { ...given?.metadata.annotations, ...KEEP_ANNOTATIONS },
        labels: {
          ...given?.metadata.labels,
          ...Object.fromEntries(POD_SECURITY_LABELS.map((label) => [label, POD_SECURITY_LEVEL])),
        },
      },
    });
  }
}
