import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesObject } from './types.js';

/** An object in the tree: an `ApiObject` to depend on, to label and to patch, whose manifest has a type. */
export interface MadeObject<T extends KubernetesObject = KubernetesObject> extends ApiObject {
  readonly name: string;
  toJson(): T;
}

/** The objects below a construct, in the order in which they were added; only those of one kind, if a kind is given. */
export function madeObjects<T extends KubernetesObject>(root: Construct, kind?: T['kind']): readonly MadeObject<T>[] {
  return root.node
    .findAll()
    .filter((node): node is MadeObject<T> => ApiObject.isApiObject(node))
    .filter((node) => kind === undefined || node.kind === kind);
}
