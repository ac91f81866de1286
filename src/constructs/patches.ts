import { ApiObject, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { isDeepStrictEqual } from 'node:util';
import { applyPatch as applyJsonPatch, type Operation as JsonOperation } from 'rfc6902';
import type { Patch } from '../config/kinds/patch.js';
import type { KubernetesObject } from '../lib/kubernetes.js';
import { matchesSelector, selectorOf } from '../lib/label-selector.js';
import { strategicMerge } from '../lib/strategic-merge.js';

/** A patch that could not do its work; `index` is its place in `spec.patches`. */
export interface PatchProblem {
  readonly index: number;
  readonly message: string;
}

/** Patches of the Cluster document do not fit the objects. */
export class PatchError extends Error {
  constructor(readonly problems: readonly PatchProblem[]) {
    super(problems.map(({ index, message }) => `spec.patches[${index}]: ${message}`).join('\n'));
    this.name = 'PatchError';
  }
}

/**
 * Applies the patches of a Cluster document to the objects of a tree, in order.
 *
 * @throws PatchError with every patch that matches no object, or that does not fit one.
 */
export function applyPatches(root: Construct, patches: readonly Patch[]): void {
  if (patches.length === 0) return;
  const nodes = root.node.findAll().filter((node): node is ApiObject => ApiObject.isApiObject(node));
  const problems = patches.flatMap((patch, index) =>
    applyPatch(nodes, patch).map((message): PatchProblem => ({ index, message })),
  );
  if (problems.length > 0) throw new PatchError(problems);
}

function applyPatch(nodes: readonly ApiObject[], patch: Patch): readonly string[] {
  const matching = nodes.filter((node) => isTarget(node.toJson() as KubernetesObject, patch.target));
  if (matching.length === 0) return ['matches no object'];
  return matching.flatMap((node) => {
    const object = node.toJson() as KubernetesObject;
    const patched = patchObject(object, patch.patch);
    if (typeof patched === 'string') return [patched];
    if (!isDeepStrictEqual(identityOf(patched), identityOf(object))) {
      return [`changes apiVersion, kind, name or namespace of ${object.kind} ${object.metadata.name}`];
    }
    node.addJsonPatch(JsonPatch.replace('', patched));
    return [];
  });
}

function isTarget({ kind, metadata }: KubernetesObject, target: Patch['target']): boolean {
  return (
    (target.kind ?? kind) === kind &&
    (target.name ?? metadata.name) === metadata.name &&
    (target.namespace ?? metadata.namespace) === metadata.namespace &&
    (target.labelSelector === undefined || matchesSelector(selectorOf(target.labelSelector), metadata.labels ?? {}))
  );
}

/** The patched object, or why the patch does not fit. */
function patchObject(object: KubernetesObject, patch: Patch['patch']): KubernetesObject | string {
  if (!Array.isArray(patch)) return strategicMerge(object, patch) as KubernetesObject;
  const patched = structuredClone(object);
  const [error] = applyJsonPatch(patched, patch as JsonOperation[]).filter((result) => result !== null);
  return error === undefined ? patched : `does not fit ${object.kind} ${object.metadata.name}: ${error.message}`;
}

function identityOf({ apiVersion, kind, metadata }: KubernetesObject): readonly unknown[] {
  return [apiVersion, kind, metadata.name, metadata.namespace];
}
