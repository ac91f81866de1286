import { JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { hasEntries } from '../../shared/lib/has-entries.js';
import { madeObjects } from '../../shared/kubernetes/made-objects.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import type { PlacedObject } from '../model/placed-object.js';

/** Context key for the output folder of the objects in a part of the tree. */
const FOLDER_CONTEXT = 'weft.dev/folder';

/** Output folder for objects of users' own constructs. */
const DEFAULT_FOLDER = 'objects';

/** A part of the tree whose objects belong in one output folder. */
export function folderScope(scope: Construct, folder: string): Construct {
  const group = new Construct(scope, folder);
  setFolder(group, folder);
  return group;
}

/** Sets the output folder of a construct's objects. The construct must have no children yet. */
export function setFolder(construct: Construct, folder: string): void {
  construct.node.setContext(FOLDER_CONTEXT, folder);
}

/** Adds annotations to the objects of a tree; a function returns those of each object. */
export function annotateObjects(
  root: Construct,
  annotationsOf: (object: KubernetesObject) => Readonly<Record<string, string>>,
): void {
  for (const node of madeObjects(root)) {
    const annotations = annotationsOf(node.toJson());
    if (Object.keys(annotations).length === 0) continue;
    for (const [key, value] of Object.entries(annotations)) node.metadata.addAnnotation(key, value);
    const { metadata } = node.toJson();
    if (hasEntries(metadata.annotations ?? {}, annotations)) continue;
    // A patch of the user has replaced the whole object, and the metadata of the construct with it.
    node.addJsonPatch(JsonPatch.add('/metadata/annotations', { ...metadata.annotations, ...annotations }));
  }
}

/** The objects of a tree, in the order in which they were added. */
export function placedObjects(root: Construct): readonly PlacedObject[] {
  return madeObjects(root).map((node) => ({
    folder: (node.node.tryGetContext(FOLDER_CONTEXT) as string | undefined) ?? DEFAULT_FOLDER,
    object: node.toJson(),
  }));
}
