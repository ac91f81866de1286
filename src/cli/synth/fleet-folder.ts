import { join } from 'node:path';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { FLEET_FOLDER } from '../../compile/gitops/argocd/application-set.js';
import { createFleet, waveOf, type Fleet, type FleetCluster } from '../../compile/gitops/fleet.js';
import { within } from '../../compile/model/config.js';
import { found } from '../../compile/model/found.js';
import type { Tree } from '../../compile/render/tree/write-plan.js';
import { CLUSTERS } from '../project.js';

/** The folder with the objects of the whole fleet, next to the folders of the clusters. */
interface FleetFolders {
  /**
   * Takes a cluster.
   *
   * @param above the folder that its output folder is in
   */
  readonly take: (cluster: FleetCluster, above: string) => readonly Diagnostic[];
  readonly trees: () => readonly { readonly target: string; readonly tree: Tree }[];
}

/** @param isWhole whether the run has all clusters of the project: only then the objects of the fleet are rendered */
export function fleetFolders(isWhole: boolean): FleetFolders {
  const fleets = new Map<string, FleetOf>();
  return {
    take: (cluster, above) => {
      const known = fleets.get(above) ?? { fleet: createFleet() };
      const taken = withCluster(known, cluster);
      fleets.set(above, taken);
      const other = taken.fleet.take(cluster);
      return [
        ...(other === undefined ? [] : [differentSettings(cluster, other)]),
        ...withoutWave(cluster),
        ...(isReserved(known) ? [] : reservedName(taken)),
      ];
    },
    trees: () =>
      [...fleets].flatMap(([above, { fleet }]) => {
        const files = isWhole ? [...fleet.files(), ...fleet.others()] : [];
        const tree = { source: CLUSTERS, facts: [], bases: [], files };
        return files.length === 0 ? [] : [{ target: join(above, FLEET_FOLDER), tree }];
      }),
  };
}

/** The clusters whose output folders are in one folder. */
interface FleetOf {
  readonly fleet: Fleet;
  /** The cluster that has the name of the fleet's folder. */
  readonly namesake?: FleetCluster;
  /** Another cluster, which is in an ApplicationSet. */
  readonly member?: FleetCluster;
}

function withCluster(known: FleetOf, cluster: FleetCluster): FleetOf {
  if (cluster.name === FLEET_FOLDER) return { ...known, namesake: cluster };
  const isMember = cluster.spec.gitops.argocd?.applicationSet !== undefined;
  return isMember && known.member === undefined ? { ...known, member: cluster } : known;
}

const isReserved = ({ namesake, member }: FleetOf): boolean => namesake !== undefined && member !== undefined;

/** The rule of the same code finds a cluster that itself is in an ApplicationSet. */
function reservedName({ namesake, member }: FleetOf): readonly Diagnostic[] {
  if (namesake === undefined || member === undefined) return [];
  return [
    found('WEFT0454', {
      message:
        `a cluster named \`${FLEET_FOLDER}\` would have the folder of the ApplicationSet \`` +
        `${member.spec.gitops.argocd?.applicationSet?.name ?? ''}\` of the cluster \`${member.name}\``,
      origin: within(namesake.origin, 'metadata', 'name'),
      help: 'give this cluster another name',
    }),
  ];
}

/** The controller syncs only Applications of a wave. */
function withoutWave(cluster: FleetCluster): readonly Diagnostic[] {
  const { name = '', waves } = cluster.spec.gitops.argocd?.applicationSet ?? {};
  const wave = waveOf(cluster);
  if (waves === undefined || (wave !== undefined && waves.order.includes(wave))) return [];
  const label = `\`${waves.label}\``;
  return [
    found('WEFT0455', {
      message:
        wave === undefined
          ? `the cluster has no label ${label}, by which the ApplicationSet \`${name}\` orders its clusters`
          : `the ApplicationSet \`${name}\` has no wave \`${wave}\``,
      origin: within(cluster.origin, 'metadata', ...(wave === undefined ? [] : ['labels', waves.label])),
      help: `give \`metadata.labels\` the label ${label} with one of ${waves.order.map((value) => `\`${value}\``).join(', ')}`,
    }),
  ];
}

function differentSettings(cluster: FleetCluster, other: string): Diagnostic {
  const name = cluster.spec.gitops.argocd?.applicationSet?.name ?? '';
  return found('WEFT0451', {
    message: `the settings of the ApplicationSet \`${name}\` are not those of the cluster \`${other}\``,
    origin: within(cluster.origin, 'spec', 'gitops', 'argocd'),
    at: 'key',
    help: 'give both the same settings but for `destination`, or another name of the ApplicationSet',
  });
}
