import { allAddOns } from '../../../addons/all.js';
import { allComponents } from '../../../components/all.js';
import { needsCompanion } from '../../../delivery/drivers.js';
import { within, type Rule } from '../../../model/config.js';
import { gatePools } from '../../gate.js';

/** On a node without a driver no program writes the file of the gate, and the pod would never start. */
export const driverGateCoverage: Rule = {
  code: 'WEFT0235',
  severity: 'error',
  title: 'the driver covers some of the nodes of a gated component only',
  needsAllDocuments: true,
  *check(config) {
    if (config.cluster.spec.driver.gate !== 'ready-file') return;
    for (const { id, gated } of allComponents) {
      for (const instance of gated ? (config.instances.get(id) ?? []) : []) {
        const coverage = gatePools(config, instance);
        if (!coverage || coverage.bare.length === 0 || coverage.covered.length === 0) continue;
        const bare = [...new Set(coverage.bare.map(({ name }) => `\`${name}\``))].join(', ');
        yield {
          origin: instance.origin,
          at: 'key',
          message: `the driver covers some of this section's node pools, but not ${bare}`,
          label: 'its pods would wait for ever there',
          help: 'set `spec.driver.gate: label` in the Cluster document, or cover the same pools with both sections',
        };
      }
    }
  },
};

/** The label was written by the operator's controller. With a driver in the input the companion writes it instead. */
export const driverGateLabel: Rule = {
  code: 'WEFT0236',
  severity: 'warning',
  title: 'nothing keeps the label that the driver gate selects',
  isOncePerRun: true,
  *check(config) {
    if (config.cluster.spec.driver.gate !== 'label' || needsCompanion(config)) return;
    const isGated =
      allComponents.some(({ id, gated }) => gated && (config.instances.get(id) ?? []).length > 0) ||
      allAddOns.some(({ id, gated }) => config.addOns.has(id) && gated?.(config.addOns.get(id)) === true);
    if (!isGated) return;
    yield {
      origin: within(config.cluster.origin, 'spec', 'driver', 'gate'),
      message: 'with `gate: label` device plugins wait for a label that nothing in this output keeps',
      help:
        'use `gate: ready-file`, or label the nodes yourself: ' +
        '`network.nvidia.com/operator.mofed.wait=false` once their driver is loaded',
    };
  },
};
