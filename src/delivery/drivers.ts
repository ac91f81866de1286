import { allComponents } from '../components/all.js';
import type { AnyComponent, UpgradedDriver } from '../components/component.js';
import type { OfedUpgradePolicy } from '../contract/operator-upgrade-policy.js';
import type { Config, Instance } from '../model/config.js';

/** A driver of the input, with the policies that install it. */
export interface ConfiguredDriver {
  readonly driver: UpgradedDriver;
  /** Sorted by owner. */
  readonly policies: readonly { readonly instance: Instance; readonly upgradePolicy: OfedUpgradePolicy | undefined }[];
}

/** The drivers that are installed on at least one node pool. */
export function configuredDrivers(config: Pick<Config, 'instances'>): readonly ConfiguredDriver[] {
  return allComponents.flatMap((component: AnyComponent) => {
    const { id, driver, upgradePolicy } = component;
    const instances = (config.instances.get(id) ?? []).filter(({ pools }) => pools.length > 0);
    if (driver === undefined || instances.length === 0) return [];
    const policies = instances.map((instance) => ({
      instance,
      // The section is the output of the component's own schema, but the types of the registry do not express that.
      upgradePolicy: upgradePolicy?.(instance.spec as never),
    }));
    return [{ driver, policies }];
  });
}

/** Whether the output needs the companion: it upgrades and uninstalls drivers, releases safe loads and keeps the gate's label. */
export function needsCompanion(config: Pick<Config, 'cluster' | 'instances'>): boolean {
  const { gate, uninstall } = config.cluster.spec.driver;
  const drivers = configuredDrivers(config);
  if (drivers.length === 0) return false;
  return (
    uninstall ||
    gate === 'label' ||
    drivers.some(({ policies }) => policies.some(({ upgradePolicy }) => upgradePolicy?.autoUpgrade === true))
  );
}
