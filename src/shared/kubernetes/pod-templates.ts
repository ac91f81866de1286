import { isObject, listAt } from '../lib/json.js';

const IN_SPEC: readonly string[] = ['spec', 'template'];

/** The path of the pod template by kind (Kubernetes `apps/v1`, `batch/v1`, `core/v1`). A Pod is its own. */
export const POD_TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Pod', []],
  ['Deployment', IN_SPEC],
  ['StatefulSet', IN_SPEC],
  ['DaemonSet', IN_SPEC],
  ['ReplicaSet', IN_SPEC],
  ['ReplicationController', IN_SPEC],
  ['PodTemplate', ['template']],
  ['Job', IN_SPEC],
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template']],
]);

const KNOWN = [...new Set(POD_TEMPLATES.values())];
/** Its schema may have all that pods have. */
const DEFINITION = 'CustomResourceDefinition';

/**
 * The paths of pod templates in an object: those of Kubernetes, and what has containers in an object of another kind, such as the `Worker` of an
 * MPIJob.
 */
export function podTemplatePaths(object: Readonly<Record<string, unknown>>): readonly (readonly (string | number)[])[] {
  const kind = String(object['kind']);
  return POD_TEMPLATES.has(kind) || kind === DEFINITION ? KNOWN : [...KNOWN, ...templatesIn(object, [])];
}

function templatesIn(value: unknown, path: readonly (string | number)[]): readonly (readonly (string | number)[])[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => templatesIn(inner, [...path, index]));
  if (!isObject(value)) return [];
  if (listAt(value, 'spec', 'containers').length > 0)
    return KNOWN.some((known) => known.join() === path.join()) ? [] : [path];
  return Object.entries(value).flatMap(([key, inner]) => templatesIn(inner, [...path, key]));
}
