import { isObject } from '../../../shared/lib/json.js';
import { mapAt, without, type ChartValues } from '../values.js';

/**
 * The section for values of the chart. The chart's selector has the label of the driver's gate, which Weft adds if the
 * gate is that label. Certificates in the values are Secrets, which the input must not contain.
 */
export function ofChartValues(values: ChartValues): ChartValues | undefined {
  if (mapAt(values, 'sriovNetworkOperator')['enabled'] !== true) return undefined;
  const given = mapAt(values, 'sriov-network-operator');
  const operator = mapAt(given, 'operator');
  const nics = given['supportedExtraNICs'];
  return {
    deploy: true,
    ...without(given, 'extraDeploy', 'global', 'supportedExtraNICs', 'operator'),
    // No template reads `nameOverride` and `fullnameOverride` of the operator.
    ...(Object.keys(operator).length > 0 ? { operator: ofOperator(operator) } : {}),
    ...(Array.isArray(nics) ? { supportedExtraNICs: Object.fromEntries(nics.map(nicOf)) } : {}),
  };
}

function ofOperator(operator: ChartValues): ChartValues {
  const controllers = operator['admissionControllers'];
  const kept = without(operator, 'nameOverride', 'fullnameOverride', 'admissionControllers');
  if (!isObject(controllers)) return kept;
  const certificates = without(mapAt(controllers, 'certificates'), 'custom');
  const isGiven = Object.keys(certificates).length > 0;
  const admissionControllers = { ...without(controllers, 'certificates'), ...(isGiven ? { certificates } : {}) };
  return { ...kept, admissionControllers };
}

/** A line of the ConfigMap: `Name: "vendor device function"`. */
function nicOf(line: unknown): [string, string] {
  const [, name = '', ids = ''] = /^([^:\s]+)\s*:(.*)$/s.exec(String(line).trim()) ?? [];
  const [, text = ''] = /^["']?([^"']*)["']?$/.exec(ids.trim()) ?? [];
  return [name, text];
}
