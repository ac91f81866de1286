import type { PlacedObject } from '../model/placed-object.js';
import type { Config } from '../model/config.js';
import { coverageTable, type AbsenceKind } from './coverage.js';
import { programDaemonSets } from './daemon-sets.js';

/** What the nodes of a pool get of one program of a component or an add-on. */
export interface PoolCoverage {
  /** Name of the pool. */
  readonly pool: string;
  /** Of the nodes; absent if the pool is for every kernel. */
  readonly kernel?: string;
  /** Id of the component or the add-on: the name of its folder in the output. */
  readonly component: string;
  /** The same as `component`; of an add-on, which may run several programs, the name of the DaemonSet. */
  readonly program: string;
  /** The DaemonSets that put a pod on the nodes, as `<namespace>/<name>`; empty with `absence`. */
  readonly daemonSets: readonly string[];
  /** The policies that own them: `NicNodePolicy gb200`. Empty for an add-on. */
  readonly policies: readonly string[];
  /** Why no pod of it runs there: the kind of the cause, and a part of a sentence. */
  readonly absence?: { readonly kind: AbsenceKind; readonly message: string };
}

/** The table of coverage of the node pools of a configuration: by pool, kernel and program. */
export function poolCoverage(config: Config, objects: readonly PlacedObject[]): readonly PoolCoverage[] {
  const owners = new Map(config.policies.map(({ owner }) => [owner.label, `${owner.kind} ${owner.name}`]));
  return coverageTable(config, programDaemonSets(config, objects)).flatMap(({ place, cells }) =>
    place.pools.flatMap(({ name, kernel }) =>
      cells.map(({ program, daemonSets, absence }) => ({
        pool: name,
        ...(kernel !== undefined && { kernel }),
        component: program.component,
        program: program.name,
        daemonSets: daemonSets.map(({ id }) => id),
        policies: [...new Set(daemonSets.flatMap(({ owner = '' }) => owners.get(owner) ?? []))],
        ...(absence && { absence: { kind: absence.kind, message: absence.message } }),
      })),
    ),
  );
}
