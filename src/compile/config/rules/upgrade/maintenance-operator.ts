import { virtualFunctionsOf } from '../../../addons/all.js';
import { within, type Rule } from '../../../model/config.js';

/** Operators that restart what is drained for them wait for a cordon of the companion. Here the Maintenance Operator cordons. */
export const maintenanceOfOthers: Rule = {
  code: 'WEFT0333',
  severity: 'error',
  title: 'the Maintenance Operator is asked for what another operator restarts',
  *check(config) {
    const { spec, origin } = config.cluster;
    if (spec.upgrade.drainer !== 'MaintenanceOperator') return;
    const found: readonly (readonly [boolean, string, string])[] = [
      [
        spec.gpuDriver?.operator === true,
        '`gpuDriver.operator: true`',
        'with `gpuDriver.operator: false`, or without the section: the GPU operator then drains by itself',
      ],
      [
        virtualFunctionsOf(config)?.drain !== undefined,
        '`externalDrainer.enabled: true`',
        'with `externalDrainer.enabled: false`',
      ],
    ];
    for (const [isSet, setting, otherwise] of found) {
      if (!isSet) continue;
      yield {
        origin: within(origin, 'spec', 'upgrade', 'drainer'),
        message: `\`drainer: MaintenanceOperator\` is not implemented together with ${setting}`,
        help: `remove \`drainer\`: the companion drains once for both. Or keep it ${otherwise}`,
      };
    }
  },
};
