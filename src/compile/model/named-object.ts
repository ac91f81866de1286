import type { IConstruct } from 'constructs';

/** A ConfigMap, a Secret or a PersistentVolumeClaim of cdk8s-plus, or an `ApiObject` of one of these kinds. */
export interface NamedObject extends IConstruct {
  readonly kind: string;
  readonly name: string;
}
