import { within, type Rule } from '../../../model/config.js';
import type { MaintenanceOperatorSpec } from '../schema.js';

/** Others may have deployed it, for instance the operator's own chart. */
export const maintenanceOperatorDeployed: Rule = {
  code: 'WEFT0334',
  severity: 'warning',
  title: 'nodes are drained by a Maintenance Operator that the input does not deploy',
  *check({ addOns, cluster: { spec, origin } }) {
    const { deploy } = addOns.get('maintenance-operator') as MaintenanceOperatorSpec;
    if (spec.upgrade.drainer !== 'MaintenanceOperator' || deploy) return;
    yield {
      origin: within(origin, 'spec', 'upgrade', 'drainer'),
      message: '`drainer: MaintenanceOperator` needs the Maintenance Operator, which this input does not deploy',
      label: 'where it does not run, no node begins',
      help: 'set `spec.maintenanceOperator.deploy: true`; if something else deploys it, silence this warning by a comment',
    };
  },
};
