import { allComponents } from '../../../components/all.js';
import type { AnyComponent } from '../../../components/component.js';
import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { listedNames } from '../../../../shared/lib/listed.js';
import { within, type Config, type Violation, type Instance, type Rule } from '../../../model/config.js';

type DriverSets = NonNullable<AnyComponent['driverDaemonSets']>;

/** The instances that install drivers, with the DaemonSets of each. */
function driverInstances({ instances }: Config): readonly { instance: Instance; daemonSets: ReturnType<DriverSets> }[] {
  return allComponents.flatMap(({ id, driverDaemonSets }: AnyComponent) =>
    driverDaemonSets === undefined
      ? []
      : (instances.get(id) ?? []).map((instance) => ({
          instance,
          daemonSets: driverDaemonSets(instance as Instance<never>),
        })),
  );
}

/** The names in `driver.uninstall`, each with its place. */
function* named(
  config: Config,
  key: 'nodePools' | 'policies',
): Iterable<{ name: string; at: Pick<Violation, 'origin'> }> {
  const { uninstall } = config.cluster.spec.driver;
  if (typeof uninstall === 'boolean') return;
  for (const [index, name] of uninstall[key].entries())
    yield { name, at: { origin: within(config.cluster.origin, 'spec', 'driver', 'uninstall', key, index) } };
}

/** A name that is not known would leave the driver where it is to go. */
export const uninstallKnown: Rule = {
  code: 'WEFT0300',
  severity: 'error',
  title: 'an uninstall names a pool or a policy without a driver',
  needsAllDocuments: true,
  *check(config) {
    const owners = driverInstances(config).map(({ instance }) => instance.owner.name);
    const covered = config.policies.filter(({ owner }) => owners.includes(owner.name)).flatMap(({ pools }) => pools);
    const pools = [...new Set(covered.map(({ name }) => name))];
    for (const { name, at } of named(config, 'nodePools')) {
      if (pools.includes(name)) continue;
      yield { ...at, message: `no policy installs a driver on a node pool \`${name}\``, ...helpFor(name, pools) };
    }
    for (const { name, at } of named(config, 'policies')) {
      if (owners.includes(name)) continue;
      yield { ...at, message: `no policy \`${name}\` installs a driver`, ...helpFor(name, owners) };
    }
  },
};

function helpFor(name: string, known: readonly string[]): Pick<Violation, 'help'> {
  const help =
    didYouMean(name, known) ?? 'a pool or a policy is put back with its driver until the companion has uninstalled it';
  return { help };
}

/** A DaemonSet that stays for one pool puts the driver on the nodes of the other, too. */
export const uninstallApart: Rule = {
  code: 'WEFT0301',
  severity: 'error',
  title: 'an uninstall names a pool whose driver DaemonSet serves other pools',
  *check(config) {
    for (const { name, at } of named(config, 'nodePools')) {
      for (const { instance, daemonSets } of driverInstances(config)) {
        const { uninstall } = config.cluster.spec.driver;
        const isGone = (pool: string) =>
          typeof uninstall !== 'boolean' &&
          (uninstall.nodePools.includes(pool) || uninstall.policies.includes(instance.owner.name));
        const shared = daemonSets.find(({ pools }) => pools.some((pool) => pool.name === name));
        const others = [...new Set((shared?.pools ?? []).map((pool) => pool.name))].filter((pool) => !isGone(pool));
        if (shared === undefined || others.length === 0) continue;
        yield {
          ...at,
          message: `DaemonSet \`${shared.name}\` puts the driver on the nodes of pool \`${name}\` and of ${listedNames(others, 5)}`,
          help: 'name these pools as well, or give them a NicNodePolicy of their own first: its `nodeSelector` tells their nodes apart',
        };
      }
    }
  },
};
