import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { KubernetesObject } from '../kubernetes/types.js';

/** Context key under which a part of the tree says which output folder its objects belong in. */
const FOLDER_CONTEXT = 'weft.dev/folder';

/** Output folder of objects without a folder: those that a user's own construct adds. */
const DEFAULT_FOLDER = 'objects';

/** A part of the tree whose objects belong in one output folder. */
export function folderScope(scope: Construct, folder: string): Construct {
  const group = new Construct(scope, folder);
  setFolder(group, folder);
  return group;
}

/** Says which output folder the objects of a construct belong in. It must have none yet. */
export function setFolder(construct: Construct, folder: string): void {
  construct.node.setContext(FOLDER_CONTEXT, folder);
}

/** An object and where it belongs in the output. */
export interface PlacedObject {
  readonly folder: string;
  readonly object: KubernetesObject;
}

/** Adds annotations to the objects of a tree: those that a function gives for each. */
export function annotateObjects(
  root: Construct,
  annotationsOf: (object: KubernetesObject) => Readonly<Record<string, string>>,
): void {
  for (const node of root.node.findAll()) {
    if (!ApiObject.isApiObject(node)) continue;
    const annotations = annotationsOf(node.toJson() as KubernetesObject);
    for (const [key, value] of Object.entries(annotations)) node.metadata.addAnnotation(key, value);
  }
}

/** The objects of a tree, in the order in which they were added. */
export function placedObjects(root: Construct): readonly PlacedObject[] {
  return root.node
    .findAll()
    .filter((node): node is ApiObject => ApiObject.isApiObject(node))
    .map((node) => ({
      folder: (node.node.tryGetContext(FOLDER_CONTEXT) as string | undefined) ?? DEFAULT_FOLDER,
      object: node.toJson() as KubernetesObject,
    }));
}
