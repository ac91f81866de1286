import { Construct } from 'constructs';
import { KEEP_ANNOTATIONS } from '../contract/labels.js';
import { addObject } from '../kubernetes/objects.js';

/**
 * The namespace of the drivers. Its pods are privileged, which clusters that enforce pod security refuse elsewhere, and
 * deleting it would take every driver away.
 */
export class OperatorNamespace extends Construct {
  constructor(scope: Construct, id: string, { name }: { readonly name: string }) {
    super(scope, id);
    const level = 'privileged';
    addObject(this, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        annotations: KEEP_ANNOTATIONS,
        labels: {
          'pod-security.kubernetes.io/audit': level,
          'pod-security.kubernetes.io/enforce': level,
          'pod-security.kubernetes.io/warn': level,
        },
      },
    });
  }
}
