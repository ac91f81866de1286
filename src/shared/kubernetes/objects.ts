import { identityOf } from './identity.js';
import {
  ApiObject,
  App,
  Chart,
  ImplicitTokenResolver,
  JsonPatch,
  LazyResolver,
  NumberStringUnionResolver,
  type IResolver,
} from 'cdk8s';
import type { Construct } from 'constructs';
import { madeObjects } from './made-objects.js';
import type { KubernetesObject } from './types.js';
import { NOT_PLAIN, sortedData } from '../lib/plain-data.js';

/** Adds fields that are derived from the rest of the object, such as a digest of a part. */
type Derive = (object: KubernetesObject) => KubernetesObject;

/** An object that is computed again each time it is written, so that the result includes all patches. */
class DerivedObject extends ApiObject {
  private isPatched = false;

  private readonly given: Record<string, unknown>;

  constructor(
    scope: Construct,
    id: string,
    public object: KubernetesObject,
    private readonly derive: Derive,
  ) {
    const given = { ...object };
    super(scope, id, given);
    this.given = given;
  }

  /** Replaces the object; labels and patches that users have added still apply. */
  replace(object: KubernetesObject): void {
    for (const [key, value] of Object.entries(object.metadata.labels ?? {})) {
      if (this.object.metadata.labels?.[key] !== value) this.metadata.addLabel(key, value);
    }
    // cdk8s keeps what it was given, and reads it when the object is written; metadata it has read already.
    Object.assign(this.given, object);
    this.object = object;
  }

  override addJsonPatch(...patches: JsonPatch[]): void {
    this.isPatched = true;
    super.addJsonPatch(...patches);
  }

  // cdk8s applies all patches in here, and writes what this returns.
  override toJson(): KubernetesObject {
    return this.derive(this.plainObject() ?? (super.toJson() as KubernetesObject));
  }

  /** The object that cdk8s would return; `undefined` when only cdk8s can compute it. */
  private plainObject(): KubernetesObject | undefined {
    if (this.isPatched || hasResolvers(this)) return undefined;
    const data = sortedData({ ...this.object, metadata: this.metadata.toJson() as unknown });
    if (data === NOT_PLAIN) return undefined;
    const { apiVersion, kind, metadata, ...others } = data as KubernetesObject;
    return { apiVersion, kind, metadata, ...others };
  }
}

/** Every App has these resolvers; plain data has nothing that they resolve. */
const OWN_RESOLVERS = [LazyResolver, ImplicitTokenResolver, NumberStringUnionResolver];

/** Whether the App has resolvers of the user. */
function hasResolvers(object: ApiObject): boolean {
  const isForeign = (resolver: IResolver) => !OWN_RESOLVERS.some((own) => resolver instanceof own);
  return App.of(object).resolvers.some(isForeign);
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
  // cdk8s adds the chart's namespace to every object without one, also to cluster-scoped objects.
  if (namespace === undefined && Chart.of(scope).namespace !== undefined) {
    added.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  }
  return added;
}

/** The objects of a tree as they were added: before patches, and without derived fields. */
export function addedObjects(root: Construct): readonly KubernetesObject[] {
  return madeObjects(root).map((node) => (isDerived(node) ? node.object : node.toJson()));
}

/**
 * An id that no other child has. Objects with equal identities are reported later, and the tree must be built to find
 * them. The id must not be a property of every JavaScript object, such as `constructor`, because a tree would find that
 * as a child.
 */
export function freeId(scope: Construct, id: string): string {
  const isFree = !(id in {}) && scope.node.tryFindChild(id) === undefined;
  return isFree ? id : freeId(scope, `${id}'`);
}

/** Replaces each object of some trees by the one with the same identity, if there is one. */
export function replaceObjects(roots: readonly Construct[], objects: readonly KubernetesObject[]): void {
  const byIdentity = new Map(objects.map((object) => [identityOf(object), object]));
  for (const made of roots.flatMap(derivedObjects)) {
    const object = byIdentity.get(identityOf(made.object));
    if (object !== undefined) made.replace(object);
  }
}

/** Removes the objects of a tree that have one of the identities. */
export function removeObjects(root: Construct, identities: ReadonlySet<string>): void {
  for (const { object, node } of derivedObjects(root)) {
    if (identities.has(identityOf(object))) node.scope?.node.tryRemoveChild(node.id);
  }
}

function derivedObjects(root: Construct): readonly DerivedObject[] {
  return madeObjects(root).filter(isDerived);
}

// `instanceof` of cdk8s is true for every ApiObject and each of its subclasses.
function isDerived(node: ApiObject): node is DerivedObject {
  return 'object' in node;
}

/** The objects that a function adds to a tree of their own. */
export function objectsOf(build: (scope: Construct) => void): readonly KubernetesObject[] {
  const chart = new Chart(new App(), 'objects');
  build(chart);
  return addedObjects(chart);
}
