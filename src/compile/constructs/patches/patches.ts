import { JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { isDeepStrictEqual } from 'node:util';
import type { Patch } from '../../model/patch.js';
import { severityOf } from '../../../shared/diagnostics/codes.js';
import { canonicalJson, valueAt } from '../../../shared/lib/json.js';
import { madeObjects } from '../../../shared/kubernetes/made-objects.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { strategicMerge } from '../../../shared/kubernetes/api/strategic-merge.js';
import { missesItsPods } from '../../../shared/kubernetes/selection/workload-selector.js';
import type { FieldType } from '../../../shared/kubernetes/api/field-types.js';
import { type Container, containerProblems, writtenContainers } from './containers.js';
import { fieldProblems, lostField } from './fields.js';
import { guardedProblem } from './guarded.js';
import { applyOperations } from './json.js';
import { type ObjectProblem, joinProblems, type PatchProblem } from './problems.js';
import { nothingMatches, targeted } from './target.js';
import { typeOf } from './types.js';

/** Patches of the Cluster document do not fit the objects. */
export class PatchError extends Error {
  /** Including warnings. */
  constructor(readonly problems: readonly PatchProblem[]) {
    const errors = problems.filter(isError);
    super(errors.map(({ index, message }) => `spec.patches[${index}]: ${message}`).join('\n'));
    this.name = 'PatchError';
  }
}

function isError({ code }: Pick<PatchProblem, 'code'>): boolean {
  return severityOf(code) === 'error';
}

/**
 * Applies the patches of a Cluster document to the objects of some trees, in order, and returns the warnings. Values
 * that are derived from an object, such as a digest, are computed when the tree is written; patches see the values from
 * before.
 *
 * @throws PatchError with all patches that match no object or cannot be applied to one. The trees are then unchanged.
 */
export function applyPatches(roots: readonly Construct[], patches: readonly Patch[]): readonly PatchProblem[] {
  if (patches.length === 0) return [];
  const nodes = roots.flatMap((root) => madeObjects(root));
  const made = nodes.map((node) => node.toJson());
  const objects = [...made];
  const problems = patches.flatMap((patch, index) => applyPatch(objects, patch, index));
  if (problems.some(isError)) throw new PatchError(problems);
  // One JSON patch for each object, because cdk8s copies the object for each of its patches at every `toJson`.
  for (const [index, node] of nodes.entries()) {
    if (objects[index] !== made[index]) node.addJsonPatch(JsonPatch.replace('', objects[index]));
  }
  return problems;
}

/** Replaces the objects by the patched ones. */
function applyPatch(objects: KubernetesObject[], patch: Patch, index: number): readonly PatchProblem[] {
  const isMeant = targeted(patch.target);
  const matching = [...objects.entries()].filter(([, object]) => isMeant(object));
  if (matching.length === 0) return [nothingMatches(index, patch.target, objects)];
  const known: PatchCache = { containers: writtenContainers(patch.patch), fields: new Map() };
  const found = matching.map(([place, object]) => ({ place, object, ...patchObject(object, patch, known) }));
  for (const { place, patched, findings } of found) {
    if (patched && !findings.some(isError)) objects[place] = patched;
  }
  const findings = found.flatMap(({ object, findings }) => findings.map((finding) => ({ object, finding })));
  const isIdle = !isAssertion(patch) && found.every(({ object, patched }) => isSame(object, patched));
  // If there is an error, the patch changes nothing for that reason, which is reported already.
  const idle = isIdle && !findings.some(({ finding }) => isError(finding)) ? found : [];
  return joinProblems(index, [...findings, ...idle.map(({ object }) => ({ object, finding: IDLE }))]);
}

const IDLE: ObjectProblem = {
  code: 'WEFT0244',
  path: ['patch'],
  messageFor: (objects) => `changes nothing in ${objects}`,
  help: 'what it writes is there already, or what it removes is not: correct it, or leave it out',
};

/** A patch with only `test` operations is valid, although it changes nothing. */
function isAssertion({ patch }: Patch): boolean {
  return Array.isArray(patch) && patch.every(({ op }) => op === 'test');
}

function isSame(object: KubernetesObject, patched: KubernetesObject | undefined): boolean {
  return patched !== undefined && canonicalJson(object) === canonicalJson(patched);
}

/** Results for a patch that are the same for all its objects. */
interface PatchCache {
  readonly containers: readonly Container[];
  /** By the type of the object: the problems of the fields that a merge patch writes. */
  readonly fields: Map<FieldType, readonly ObjectProblem[]>;
}

function fieldsOfMerge(type: FieldType, patch: Patch['patch'], { fields }: PatchCache): readonly ObjectProblem[] {
  const found = fields.get(type) ?? [...fieldProblems(type, patch)];
  fields.set(type, found);
  return found;
}

/** The patched object, and its errors and warnings. */
function patchObject(
  object: KubernetesObject,
  { patch }: Patch,
  known: PatchCache,
): { readonly patched?: KubernetesObject; readonly findings: readonly ObjectProblem[] } {
  const type = typeOf(object);
  const applied = Array.isArray(patch)
    ? applyOperations(object, patch)
    : { patched: strategicMerge(object, patch, type) as KubernetesObject, written: patch };
  if ('finding' in applied) return { findings: [applied.finding] };
  const { patched, written } = applied;
  // A value that an operation copies or moves differs from object to object.
  const fields = written === patch ? fieldsOfMerge(type, patch, known) : [...fieldProblems(type, written)];
  if (fields.some(isError)) return { findings: fields };
  if (!isDeepStrictEqual(identityOf(patched), identityOf(object))) {
    const messageFor = (objects: string) => `changes apiVersion, kind, name or namespace of ${objects}`;
    return { findings: [{ code: 'WEFT0244', path: ['patch'], messageFor }] };
  }
  const guarded = guardedProblem(object, patched);
  if (guarded) return { findings: [guarded] };
  if (missesItsPods(patched)) return { findings: [SELECTOR] };
  const findings = [...fields, ...containerProblems(object, patched, patch, known.containers)];
  const lost = findings.some(isError) ? undefined : lostField(patched, type);
  return lost ? { findings: [lost] } : { patched, findings };
}

const SELECTOR: ObjectProblem = {
  code: 'WEFT0487',
  path: ['patch'],
  messageFor: (objects) => `leaves ${objects} with a selector that does not select the pods of its template`,
  help: 'change `spec.selector` and `spec.template.metadata.labels` alike; a selector cannot be changed in a cluster',
};

function identityOf(object: KubernetesObject): readonly unknown[] {
  return [['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'namespace']].map((path) =>
    valueAt(object, path),
  );
}
