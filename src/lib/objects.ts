import { ApiObject, Chart, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesObject } from './kubernetes.js';

/** The object with what follows from the rest of it, such as a digest of a part. */
export type Derive = (object: KubernetesObject) => KubernetesObject;

/** An object that is derived each time it is written: whoever patches it, and when, what follows from it follows. */
class DerivedObject extends ApiObject {
  constructor(
    scope: Construct,
    id: string,
    object: KubernetesObject,
    private readonly derive: Derive,
  ) {
    super(scope, id, object);
  }

  // cdk8s applies all patches in here, and writes what this returns.
  override toJson(): KubernetesObject {
    return this.derive(super.toJson() as KubernetesObject);
  }
}

const asItIs: Derive = (object) => object;

/**
 * Adds an object to the tree. It is an `ApiObject`, not one of cdk8s's generated classes: those drop fields that they do not
 * know and rewrite quantities (see docs/adr/0001-cdk8s-as-tree.md).
 */
export function addObject(scope: Construct, object: KubernetesObject, derive = asItIs): ApiObject {
  const { name, namespace } = object.metadata;
  const id = [object.apiVersion.replace('/', '|'), object.kind, namespace, name]
    .filter((part) => part !== undefined)
    .join('|');
  const added = new DerivedObject(scope, freeId(scope, id), object, derive);
  // cdk8s gives a chart's namespace to every object without one, those without any among them.
  if (namespace === undefined && Chart.of(scope).namespace !== undefined) {
    added.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  }
  return added;
}

/** Two objects of one identity are the input's mistake, and reported as such; the tree must be built to find them. */
function freeId(scope: Construct, id: string): string {
  return scope.node.tryFindChild(id) === undefined ? id : freeId(scope, `${id}'`);
}
