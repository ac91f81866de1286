import type { AnyComponent } from '../components/component.js';
import { allComponents } from '../components/all.js';
import type { Config, DriverGate, Instance, NodePool } from '../model/config.js';

/** The pools of an instance, by whether a driver of the input covers them. */
interface Coverage {
  readonly covered: readonly NodePool[];
  readonly bare: readonly NodePool[];
}

function driverInstances(config: Config): readonly Instance[] {
  return allComponents
    .filter(({ providesDriver }) => providesDriver)
    .flatMap(({ id }) => config.instances.get(id) ?? []);
}

/** The pools of an instance with and without a driver; `undefined` if no policy has a driver. */
export function gatePools(config: Config, instance: Instance): Coverage | undefined {
  const drivers = driverInstances(config);
  if (drivers.length === 0) return undefined;
  const withDriver = new Set(drivers.flatMap(({ pools }) => pools));
  return {
    covered: instance.pools.filter((pool) => withDriver.has(pool)),
    bare: instance.pools.filter((pool) => !withDriver.has(pool)),
  };
}

/**
 * The gate of a component's DaemonSet. With `ready-file` there is no gate if none of its nodes gets a driver, because
 * the file would never be written. If only some of them get one, a rule refuses the input.
 */
export function gateOf(config: Config, component: Pick<AnyComponent, 'gated'>, instance: Instance): DriverGate {
  if (!component.gated) return 'none';
  if (config.cluster.spec.driver.gate === 'label') return 'label';
  const coverage = gatePools(config, instance);
  if (!coverage) return 'none';
  return coverage.bare.length === 0 || coverage.covered.length > 0 ? 'ready-file' : 'none';
}
