import { allAddOns } from '../../../addons/all.js';
import { configuredDrivers } from '../../../delivery/drivers.js';
import { within, type Rule } from '../../../model/config.js';

/** Pods of an add-on wait for the driver by the node label only. With the gate `ready-file` they start before it is loaded. */
export const addOnUngated: Rule = {
  code: 'WEFT0303',
  severity: 'warning',
  title: 'an add-on does not wait for the driver',
  *check(config) {
    const { addOns, cluster } = config;
    if (cluster.spec.driver.gate !== 'ready-file' || configuredDrivers(config).length === 0) return;
    for (const { id, source, gated } of allAddOns) {
      if (!addOns.has(id) || gated?.(addOns.get(id)) !== true) continue;
      yield {
        origin: within(cluster.origin, 'spec', ...source.path),
        at: 'key',
        message: `with \`gate: ready-file\` the pods of \`${source.path[0]}\` do not wait for the driver`,
        label: 'virtual functions that it creates are lost when the driver is loaded, until it creates them again',
        help: 'set `spec.driver.gate: label` in the Cluster document, with which a node is configured once its driver is loaded',
      };
    }
  },
};
