import { settingsLines, settingsOf } from '../../shared/contract/cluster-settings.js';
import { coverageLine } from '../../shared/contract/driver-coverage.js';
import { programDaemonSets } from '../../compile/coverage/daemon-sets.js';
import { createDelivery } from '../../compile/gitops/delivery.js';
import type { Placed } from '../../compile/render/layout.js';
import type { Base } from '../../compile/render/tree/base.js';
import type { Tree } from '../../compile/render/tree/write-plan.js';
import { keptBy } from '../../shared/lib/memo.js';
import { driverCoverage } from '../../review/coverage/coverage.js';
import type { Rendered } from './loaded.js';

/** What a cluster becomes on the disk. */
interface ClusterTrees {
  readonly cluster: Tree;
  readonly bases: readonly Base[];
}

/** The trees of the clusters of one run. Clusters that differ only in their names have the facts of the index in common. */
export function createTrees(): (rendered: Rendered, by: Pick<Tree, 'source' | 'weft'>) => ClusterTrees {
  const deliver = createDelivery();
  const kept = keptBy<readonly string[]>();
  return ({ config, objects }, { source, weft }) => {
    const { spec, pools } = config.cluster;
    const facts = kept(objects, [config.instances, config.addOns, spec, pools], () => factsOf({ config, objects }));
    const { manifests, others, bases } = deliver(config.cluster, objects as readonly Placed[]);
    const listed = bases.map(({ folder }) => folder);
    return { cluster: { source, weft, facts, bases: listed, files: [...manifests, ...others] }, bases };
  };
}

function factsOf({ config, objects }: Rendered): readonly string[] {
  const coverage = driverCoverage(config, programDaemonSets(config, objects));
  return [...coverage.map(coverageLine), ...settingsLines(settingsOf(config.cluster.spec))];
}
