import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesObject } from './kubernetes.js';

/**
 * Adds an object to the tree. It is an `ApiObject`, not one of cdk8s's generated classes: those drop fields that they do not
 * know and rewrite quantities (see docs/adr/0001-cdk8s-as-tree.md).
 */
export function addObject(scope: Construct, object: KubernetesObject): ApiObject {
  const { name, namespace } = object.metadata;
  const id = [object.kind, namespace, name].filter((part) => part !== undefined).join('|');
  return new ApiObject(scope, id, object);
}
