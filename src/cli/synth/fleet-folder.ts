import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { FLEET_FOLDER } from '../../gitops/argocd/application-set.js';
import { createFleet, type Fleet } from '../../gitops/fleet.js';
import type { Config } from '../../model/config.js';
import type { Tree } from '../../render/tree/write-plan.js';
import { CLUSTERS } from '../project.js';

/** The folder with the objects of the whole fleet, next to the folders of the clusters. */
interface FleetFolders {
  /**
   * Takes a cluster.
   *
   * @param above the folder that its output folder is in
   */
  readonly take: (config: Config, above: string) => readonly Diagnostic[];
  readonly trees: () => readonly { readonly target: string; readonly tree: Tree }[];
}

/** @param isWhole whether the run has all clusters of the project: only then the objects of the fleet are rendered */
export function fleetFolders(isWhole: boolean): FleetFolders {
  const fleets = new Map<string, Fleet>();
  return {
    take: (config, above) => {
      const fleet = fleets.get(above) ?? createFleet();
      fleets.set(above, fleet);
      const other = fleet.take(config.cluster);
      return other === undefined ? [] : [differentSettings(config, other)];
    },
    trees: () =>
      [...fleets].flatMap(([above, fleet]) => {
        const files = isWhole ? [...fleet.files(), ...fleet.others()] : [];
        const tree = { source: CLUSTERS, facts: [], files };
        return files.length === 0 ? [] : [{ target: join(above, FLEET_FOLDER), tree }];
      }),
  };
}

function differentSettings({ cluster }: Config, other: string): Diagnostic {
  const path = ['spec', 'gitops', 'argocd'];
  const name = cluster.spec.gitops.argocd?.applicationSet?.name ?? '';
  return {
    code: 'WEFT0451',
    severity: 'error',
    message: `the settings of the ApplicationSet \`${name}\` are not those of the cluster \`${other}\``,
    location: cluster.origin.document.locate(path, 'key'),
    path,
    help: 'give both the same settings but for `destination`, or another name of the ApplicationSet',
  };
}
