import { allComponents } from '../../../components/all.js';
import { within, type Rule } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';

/** Without its image the operator leaves the init container out without an error (network-operator b06827e0, pkg/state/state_ofed.go). */
export const initContainerKnown: Rule = {
  code: 'WEFT0267',
  severity: 'warning',
  title: 'safeLoad has no init container',
  *check({ instances, cluster }) {
    if (cluster.initContainerImage !== '') return;
    for (const { id, initContainerField } of allComponents) {
      for (const instance of instances.get(id) ?? []) {
        const path = initContainerField?.(instance.spec);
        if (!path) continue;
        const origin = within(instance.origin, ...path);
        yield {
          origin,
          message: `\`${formatPath(origin.path)}\` has no effect: the image of the init container is not known`,
          help: 'set `spec.driver.initContainerImage` or `spec.release` in the Cluster document',
        };
      }
    }
  },
};

/** The operator's own deployment always has the image, so that its drivers refuse to load under modules that they would break. */
export const driverWithoutInitContainer: Rule = {
  code: 'WEFT0304',
  severity: 'warning',
  title: 'a driver has no init container',
  *check({ instances, cluster }) {
    const { release, driver } = cluster.spec;
    if (release !== undefined || driver.initContainerImage !== undefined) return;
    for (const { id, providesDriver, initContainerField } of allComponents) {
      for (const { origin, spec, pools } of providesDriver ? (instances.get(id) ?? []) : []) {
        // WEFT0238 names a driver without a pool, and WEFT0267 what has no effect.
        if (pools.length === 0 || initContainerField?.(spec)) continue;
        yield {
          origin,
          at: 'key',
          message: 'the driver gets no init container, because the Cluster document has no `release`',
          label: 'it is loaded also where modules of the node depend on the ones that it replaces',
          help: 'set `spec.release`, or `spec.driver.initContainerImage`: the image, or an empty text for none',
        };
      }
    }
  },
};
