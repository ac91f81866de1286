import { virtualFunctionsOf } from '../addons/all.js';
import { allComponents } from '../components/all.js';
import type { AnyComponent, UpgradedDriver } from '../components/component.js';
import type { OfedUpgradePolicy } from '../../shared/contract/operator-upgrade-policy.js';
import type { Config, Instance } from '../model/config.js';
import type { GpuDriver } from '../model/gpu-driver.js';
import { uninstallsAny, uninstalledPools } from '../model/uninstall.js';

type DriverConfig = Pick<Config, 'cluster' | 'policies' | 'instances' | 'addOns'>;

/** A driver of the input, with the policies that install it. */
export interface ConfiguredDriver {
  readonly driver: UpgradedDriver;
  /** Sorted by owner. */
  readonly policies: readonly { readonly instance: Instance; readonly upgradePolicy: OfedUpgradePolicy | undefined }[];
}

/** The drivers that are installed on at least one node pool, or are uninstalled there. */
export function configuredDrivers(config: DriverConfig): readonly ConfiguredDriver[] {
  const { cluster } = config;
  const isGoing = ({ owner }: Instance) =>
    uninstallsAny(cluster) &&
    config.policies.some(
      (policy) => policy.owner.label === owner.label && uninstalledPools(cluster, policy).length > 0,
    );
  return allComponents.flatMap((component: AnyComponent) => {
    const { id, driver, upgradePolicy } = component;
    const instances = (config.instances.get(id) ?? []).filter(
      (instance) => instance.pools.length > 0 || isGoing(instance),
    );
    if (driver === undefined || instances.length === 0) return [];
    const policies = instances.map((instance) => ({
      instance,
      upgradePolicy: upgradePolicy?.(instance.spec),
    }));
    return [{ driver, policies }];
  });
}

/** The policies by which the companion upgrades nodes, of OFED drivers and of the GPU driver. */
export function upgradingPolicies(config: DriverConfig): readonly (OfedUpgradePolicy | GpuDriver['upgradePolicy'])[] {
  const rendered = configuredDrivers(config).flatMap(({ policies }) => policies.map((one) => one.upgradePolicy));
  const all = [...rendered, config.cluster.spec.gpuDriver?.upgradePolicy];
  return all.flatMap((policy) => (policy?.autoUpgrade === true ? [policy] : []));
}

/** Whether the companion takes nodes out, for an upgrade or for a change of their virtual functions. */
export function takesNodesOut(config: DriverConfig): boolean {
  return upgradingPolicies(config).length > 0 || virtualFunctionsOf(config)?.drain !== undefined;
}

/** Whether the output needs the companion: it takes nodes out, uninstalls drivers, releases safe loads and keeps the gate's label. */
export function needsCompanion(config: DriverConfig): boolean {
  if (takesNodesOut(config)) return true;
  const isNeeded = uninstallsAny(config.cluster) || config.cluster.spec.driver.gate === 'label';
  return isNeeded && configuredDrivers(config).length > 0;
}
