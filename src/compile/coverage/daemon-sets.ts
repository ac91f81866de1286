import { namespacedName } from '../../shared/kubernetes/identity.js';
import type { PlacedDaemonSet } from '../../shared/contract/daemon-set-placement.js';
import { onlyArchitecture } from '../../shared/contract/driver-placement.js';
import { ARCH_LABEL, DS_OWNER_LABEL } from '../../shared/contract/labels.js';
import { podGate, ungatedConstraints } from '../../shared/contract/pod-gate.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { valueAt } from '../../shared/lib/json.js';
import type { PlacedObject } from '../model/placed-object.js';
import type { Config, NodePool } from '../model/config.js';
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
  config: Pick<Config, 'addOns' | 'cluster' | 'policies'>,
  objects: readonly PlacedObject[],
): readonly ProgramDaemonSet[] {
  return objects.flatMap(({ folder, object }) => {
    const program = object.kind === 'DaemonSet' ? programIn(folder, object.metadata.name, config) : undefined;
    return program === undefined ? [] : [programDaemonSet(object, program, config.cluster.pools)];
  });
}

/** @param pools those of the cluster: drivers are for their only architecture, and their DaemonSets then do not select it */
export function programDaemonSet(
  object: KubernetesObject,
  program: NodeProgram,
  pools: readonly NodePool[],
): ProgramDaemonSet {
  const architecture = onlyArchitecture(pools);
  const spec = valueAt(object, ['spec', 'template', 'spec']);
  const constraints = ungatedConstraints(spec);
  const own = program.isDriver && architecture !== undefined ? { [ARCH_LABEL]: architecture } : {};
  const owner = ownerOf(object);
  return {
    ...constraints,
    nodeSelector: { ...constraints.nodeSelector, ...own },
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
  const labels = [
    ['metadata', 'labels', DS_OWNER_LABEL],
    ['spec', 'template', 'metadata', 'labels', DS_OWNER_LABEL],
  ].map((path) => valueAt(object, path));
  return labels.find((label): label is string => typeof label === 'string') ?? 'NicClusterPolicy';
}
