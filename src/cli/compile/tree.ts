import { settingsLines, settingsOf } from '../../shared/contract/cluster-settings.js';
import { coverageLine } from '../../shared/contract/driver-coverage.js';
import { programDaemonSets } from '../../compile/coverage/daemon-sets.js';
import type { Deliver } from '../../compile/gitops/delivery.js';
import type { Placed } from '../../compile/render/layout.js';
import type { Base } from '../../compile/render/tree/base.js';
import type { Tree } from '../../compile/render/tree/write-plan.js';
import { driverCoverage } from '../../review/coverage/coverage.js';
import type { Rendered } from './loaded.js';

/** What a cluster becomes on the disk. */
interface ClusterTrees {
  readonly cluster: Tree;
  readonly bases: readonly Base[];
}

export function treesOf(
  { config, objects }: Rendered,
  { source, weft }: Pick<Tree, 'source' | 'weft'>,
  deliver: Deliver,
): ClusterTrees {
  const coverage = driverCoverage(config, programDaemonSets(config, objects));
  const { manifests, others, bases } = deliver(config.cluster, objects as readonly Placed[]);
  const facts = [...coverage.map(coverageLine), ...settingsLines(settingsOf(config.cluster.spec))];
  const listed = bases.map(({ folder }) => folder);
  return { cluster: { source, weft, facts, bases: listed, files: [...manifests, ...others] }, bases };
}
