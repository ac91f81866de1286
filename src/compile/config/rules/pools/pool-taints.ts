import { allComponents } from '../../../components/all.js';
import { nodePlacement } from '../../../../shared/kubernetes/selection/node-placement.js';
import { DAEMON_SET_TOLERATIONS, taintText } from '../../../../shared/kubernetes/selection/taints.js';
import { groupBy } from '../../../../shared/lib/group-by.js';
import { listedNames } from '../../../../shared/lib/listed.js';
import { within, type Config, type Instance, type NodePool, type Origin, type Rule } from '../../../model/config.js';
import { isUninstalled } from '../../../model/uninstall.js';

/** A pool that a policy selects, and whose taints the policy does not tolerate. */
interface Repelled {
  readonly pool: NodePool;
  readonly origin: Origin;
  /** Names of the taints. */
  readonly taints: string;
}

/** Finds pools that a policy selects, and whose nodes get no driver because of their taints. The driver of its other pools is rendered. */
export const poolTaintsTolerated: Rule = {
  code: 'WEFT0302',
  severity: 'warning',
  title: 'a driver does not tolerate the taint of a pool',
  needsAllDocuments: true,
  *check(config) {
    for (const instance of driversOf(config)) {
      const { owner, pools } = instance;
      // WEFT0238 names a driver that no pool gets.
      if (pools.length === 0) continue;
      for (const { pool, origin, taints } of repelledPools(config, instance)) {
        if (isUninstalled(config.cluster, owner, pool)) continue;
        yield {
          origin,
          message: `the nodes of pool \`${pool.name}\` get no driver: ${owner.kind} \`${owner.name}\` does not tolerate ${taints}`,
          help: `add \`tolerations\` to ${owner.kind} \`${owner.name}\`; or take the driver off them: \`driver: {uninstall: {nodePools: [${pool.name}]}}\``,
        };
      }
    }
  },
};

/** The same for device plugins, where no driver of the policy has the message already. */
export const pluginTaintsTolerated: Rule = {
  code: 'WEFT0305',
  severity: 'warning',
  title: 'a device plugin does not tolerate the taint of a pool',
  needsAllDocuments: true,
  *check(config) {
    const withDriver = new Set(driversOf(config).map(({ owner }) => owner.label));
    const plugins = allComponents
      .filter(({ offers }) => offers !== undefined)
      .flatMap(({ id, source }) =>
        (config.instances.get(id) ?? []).map((instance) => ({ instance, path: source.path })),
      )
      .filter(({ instance }) => !withDriver.has(instance.owner.label));
    for (const own of groupBy(plugins, ({ instance }) => instance.owner.label).values()) {
      const [{ instance } = {}] = own;
      if (instance === undefined) continue;
      const { owner } = instance;
      const sections = listedNames(
        own.map(({ path }) => path.join('.')),
        5,
      );
      for (const { pool, origin, taints } of repelledPools(config, instance)) {
        yield {
          origin,
          message: `the nodes of pool \`${pool.name}\` get no pods of ${sections}: ${owner.kind} \`${owner.name}\` does not tolerate ${taints}`,
          help: `add \`tolerations\` to ${owner.kind} \`${owner.name}\`; or write \`# weft-ignore WEFT0305: reason\` where these nodes shall have none`,
        };
      }
    }
  },
};

function driversOf({ instances }: Config): readonly Instance[] {
  return allComponents.filter(({ providesDriver }) => providesDriver).flatMap(({ id }) => instances.get(id) ?? []);
}

/** Each pool once, whatever its kernels. */
function repelledPools({ policies }: Config, { owner, tolerations }: Instance): readonly Repelled[] {
  const placement = nodePlacement({ nodeSelector: {}, tolerations: [...tolerations, ...DAEMON_SET_TOLERATIONS] });
  const selected = policies.find((policy) => policy.owner.label === owner.label)?.pools ?? [];
  const byName = new Map(selected.filter((pool) => !placement.accepts(pool)).map((pool) => [pool.name, pool]));
  return [...byName.values()].map((pool) => {
    const taints = placement.misfitsOf(pool).flatMap((one) => (one.kind === 'taint' ? [taintText(one.taint)] : []));
    return { pool, origin: within(pool.origin, 'taints'), taints: listedNames(taints, 5) };
  });
}
