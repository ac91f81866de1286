import { isObject } from '../../../shared/lib/json.js';
import { mapAt, without, type ChartValues } from '../values.js';

/**
 * Defaults of the chart that differ from those of the section: with these and the webhook enabled, the chart does not
 * render.
 */
const CERT_MANAGER = { enable: false, generateSelfSigned: false };

/** The section for values of the chart. */
export function ofChartValues(values: ChartValues): ChartValues | undefined {
  if (mapAt(values, 'maintenanceOperator')['enabled'] !== true) return undefined;
  const given = mapAt(values, 'maintenance-operator-chart');
  const operator = given['operator'];
  return {
    deploy: true,
    // No template reads the Service of the metrics, or `global`.
    ...without(given, 'metricsService', 'global', 'operator', 'operatorConfig'),
    ...(isObject(operator) ? { operator: ofOperator(operator) } : {}),
    ...(isObject(given['operatorConfig']) ? { operatorConfig: ofConfig(given['operatorConfig']) } : {}),
  };
}

function ofOperator(operator: ChartValues): ChartValues {
  const controller = operator['admissionController'];
  if (!isObject(controller)) return operator;
  const certificates = mapAt(controller, 'certificates');
  const certManager = { ...CERT_MANAGER, ...mapAt(certificates, 'certManager') };
  const admissionController = { ...controller, certificates: { ...without(certificates, 'custom'), certManager } };
  return { ...operator, admissionController };
}

/** The templates of the chart leave out a zero. */
function ofConfig(config: ChartValues): ChartValues {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== 0));
}
