import { allAddOns } from '../../../addons/all.js';
import { OFED_GATE_LABEL } from '../../../../shared/contract/labels.js';
import { isObject, valueAt } from '../../../../shared/lib/json.js';
import { within, type Violation, type Origin, type Rule } from '../../../model/config.js';

const SELECTOR = ['spec', 'configDaemonNodeSelector'];

/** With `gate: ready-file` no program sets the label of the gate, and pods that select nodes by it never start. */
export const gateLabelSelected: Rule = {
  code: 'WEFT0482',
  severity: 'warning',
  title: 'a selector has a label that no program sets',
  *check({ addOns, cluster, passthrough }) {
    if (cluster.spec.driver.gate === 'label') return;
    for (const { id, source, gateLabelPath } of allAddOns) {
      const path = addOns.has(id) ? gateLabelPath?.(addOns.get(id)) : undefined;
      if (path) yield violation(within(cluster.origin, 'spec', ...source.path, ...path));
    }
    for (const { object, origin } of passthrough) {
      const selector = object['kind'] === 'SriovOperatorConfig' ? valueAt(object, SELECTOR) : undefined;
      if (isObject(selector) && OFED_GATE_LABEL in selector)
        yield violation(within(origin, ...SELECTOR, OFED_GATE_LABEL));
    }
  },
};

function violation(origin: Origin): Violation {
  return {
    origin,
    at: 'key',
    message: `with \`gate: ready-file\` no program sets the label \`${OFED_GATE_LABEL}\``,
    label: 'the config daemon would run on no node',
    help: 'remove it: the config daemon then starts at once; or set `spec.driver.gate: label`, with which the companion sets it',
  };
}
