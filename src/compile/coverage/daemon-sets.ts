import { namespacedName } from '../../shared/kubernetes/identity.js';
import type { PlacedDaemonSet } from '../../shared/contract/daemon-set-placement.js';
import { onArchitecture, onlyArchitecture } from '../../shared/contract/driver-placement.js';
import { DAEMON_SET_LABELS, DS_OWNER_LABEL } from '../../shared/contract/labels.js';
import { podGate, ungatedConstraints } from '../../shared/contract/pod-gate.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { valueAt } from '../../shared/lib/json.js';
import type { PlacedObject } from '../model/placed-object.js';
import type { Config } from '../model/config.js';
import { programIn, type NodeProgram } from './programs.js';

/** A DaemonSet of a component or an add-on, with the constraints of its pods apart from the driver gate. */
export interface ProgramDaemonSet extends PlacedDaemonSet {
  /** `<namespace>/<name>`. */
  readonly id: string;
  readonly object: KubernetesObject;
  readonly program: NodeProgram;
  /** Label of the policy that owns it; absent for an add-on. */
  readonly owner?: string;
  /** What keeps its pods waiting for the driver. */
  readonly gate: ReturnType<typeof podGate>;
}

/** The DaemonSets of components and add-ons among the objects of a configuration. */
export function programDaemonSets(
  config: Pick<Config, 'addOns' | 'cluster'>,
  objects: readonly PlacedObject[],
): readonly ProgramDaemonSet[] {
  const architecture = onlyArchitecture(config.cluster.pools);
  return objects.flatMap(({ folder, object }) => {
    const program = object.kind === 'DaemonSet' ? programIn(folder, object.metadata.name, config) : undefined;
    return program === undefined ? [] : [programDaemonSet(object, program, architecture)];
  });
}

/** @param architecture the only one of the node pools, which drivers are for and their DaemonSets do not select */
export function programDaemonSet(
  object: KubernetesObject,
  program: NodeProgram,
  architecture: string | undefined,
): ProgramDaemonSet {
  const spec = valueAt(object, ['spec', 'template', 'spec']);
  const constraints = ungatedConstraints(spec);
  const owner = ownerOf(object);
  return {
    ...(program.isDriver ? onArchitecture(constraints, architecture) : constraints),
    id: namespacedName(object),
    name: object.metadata.name,
    object,
    program,
    ...(program.isOfPolicy && { owner }),
    gate: podGate(spec),
  };
}

/** Objects that only a NicClusterPolicy can have do not name their owner. */
function ownerOf(object: KubernetesObject): string {
  const labels = DAEMON_SET_LABELS.map((path) => valueAt(object, [...path, DS_OWNER_LABEL]));
  return labels.find((label): label is string => typeof label === 'string') ?? 'NicClusterPolicy';
}
