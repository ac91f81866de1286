import { ApiObject, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { isDeepStrictEqual } from 'node:util';
import type { Patch } from '../config/kinds/patch.js';
import { codeInfo } from '../diagnostics/codes.js';
import type { KubernetesObject } from '../lib/kubernetes.js';
import { strategicMerge } from '../lib/strategic-merge.js';
import { strangeContainers } from './patches-containers.js';
import { strangeFields } from './patches-fields.js';
import { applyOperations } from './patches-json.js';
import { type Finding, joinFindings, type PatchProblem } from './patches-problems.js';
import { isTarget, nothingMatches } from './patches-target.js';

/** Patches of the Cluster document do not fit the objects. */
export class PatchError extends Error {
  /** Warnings are among them. */
  constructor(readonly problems: readonly PatchProblem[]) {
    const errors = problems.filter(isError);
    super(errors.map(({ index, message }) => `spec.patches[${index}]: ${message}`).join('\n'));
    this.name = 'PatchError';
  }
}

function isError({ code }: Pick<PatchProblem, 'code'>): boolean {
  return codeInfo(code).severity === 'error';
}

/**
 * Applies the patches of a Cluster document to the objects of a tree, in order, and returns what is doubtful about them.
 *
 * @throws PatchError with every patch that matches no object, or that does not fit one.
 */
export function applyPatches(root: Construct, patches: readonly Patch[]): readonly PatchProblem[] {
  if (patches.length === 0) return [];
  const nodes = root.node.findAll().filter((node): node is ApiObject => ApiObject.isApiObject(node));
  const problems = patches.flatMap((patch, index) => applyPatch(nodes, patch, index));
  if (problems.some(isError)) throw new PatchError(problems);
  return problems;
}

function applyPatch(nodes: readonly ApiObject[], patch: Patch, index: number): readonly PatchProblem[] {
  const all = nodes.map((node) => ({ node, object: node.toJson() as KubernetesObject }));
  const matching = all.filter(({ object }) => isTarget(object, patch.target));
  if (matching.length === 0) {
    return [
      nothingMatches(
        index,
        patch.target,
        all.map(({ object }) => object),
      ),
    ];
  }
  const found = matching.flatMap(({ node, object }) => {
    const { patched, findings } = patchObject(object, patch);
    if (patched && !findings.some(isError)) node.addJsonPatch(JsonPatch.replace('', patched));
    return findings.map((finding) => ({ object, finding }));
  });
  return joinFindings(index, found);
}

/** The patched object, and what is wrong or doubtful about it. */
function patchObject(
  object: KubernetesObject,
  patch: Patch,
): { readonly patched?: KubernetesObject; readonly findings: readonly Finding[] } {
  const fields = [...strangeFields(object, patch)];
  const applied = merged(object, patch);
  if ('finding' in applied) return { findings: [applied.finding] };
  const { patched } = applied;
  if (fields.some(isError)) return { findings: fields };
  if (!isDeepStrictEqual(identityOf(patched), identityOf(object))) {
    const say = (objects: string) => `changes apiVersion, kind, name or namespace of ${objects}`;
    return { findings: [{ code: 'WEFT0244', path: ['patch'], say }] };
  }
  return { patched, findings: [...fields, ...strangeContainers(object, patched, patch)] };
}

function merged(object: KubernetesObject, { patch }: Patch): ReturnType<typeof applyOperations> {
  return Array.isArray(patch)
    ? applyOperations(object, patch)
    : { patched: strategicMerge(object, patch) as KubernetesObject };
}

function identityOf({ apiVersion, kind, metadata }: KubernetesObject): readonly unknown[] {
  return [apiVersion, kind, metadata.name, metadata.namespace];
}
