import { mapAt, type ChartValues } from '../../compile/addons/values.js';
import { OPERATOR_CHART } from '../../shared/contract/network-operator.js';
import { isObject } from '../../shared/lib/json.js';

/** Name of the SR-IOV Network Operator's own chart, and of its values in those of the operator's. */
export const SRIOV_CHART = 'sriov-network-operator';

/** Its own name as a chart that is published (deployment/sriov-network-operator-chart/Chart.yaml of v1.6.0). */
const PUBLISHED_SRIOV_CHART = 'sriov-network-operator-chart';

/** Keys at the top of the values (deployment/network-operator/values.yaml of network-operator v1.2.0 to v26.7.0-rc.2). */
const OPERATOR_KEYS: ReadonlySet<string> = new Set([
  'nfd',
  'node-feature-discovery',
  'sriovNetworkOperator',
  SRIOV_CHART,
  'maintenanceOperator',
  'maintenance-operator-chart',
  'nicConfigurationOperator',
  'nic-configuration-operator-chart',
  'operator',
  'imagePullSecrets',
  'upgradeCRDs',
  'keepNCP',
  'psp',
  'proxy',
  'nvPeerDriver',
  'test',
  'deployCR',
  'ofedDriver',
  'rdmaSharedDevicePlugin',
  'sriovDevicePlugin',
  'ibKubernetes',
  'secondaryNetwork',
  'nvIpam',
  'nicFeatureDiscovery',
  'docaTelemetryService',
  'nodeAffinity',
  'tolerations',
]);

/** Keys that only the chart of the SR-IOV Network Operator has at that place (its values.yaml of v1.6.0). */
const SRIOV_KEYS = ['sriovOperatorConfig', 'supportedExtraNICs', 'extraDeploy'];
const SRIOV_OPERATOR_KEYS = ['resourcePrefix', 'cniBinPath', 'clusterType', 'admissionControllers', 'externalDrainer'];

/** Values as those of the operator's chart. */
interface OperatorValues {
  readonly values: ChartValues;
  /** They are of the SR-IOV Network Operator's own chart: of the operator nothing is known. */
  readonly isOnlySriov?: true;
}

/**
 * What values are for: the operator's chart, a chart that depends on it and has its values below its name, or the SR-IOV Network Operator's
 * own. `undefined` for those of another chart, and for what is none.
 *
 * @param chart that they are given to, where it is known
 */
export function operatorValues(given: ChartValues, chart?: string): OperatorValues | undefined {
  const isSriovChart = chart === SRIOV_CHART || chart === PUBLISHED_SRIOV_CHART;
  if (isSriovChart || (chart === undefined && isOfSriov(given))) return ofSriov(given);
  if (chart === OPERATOR_CHART) return { values: given };
  const below = given[OPERATOR_CHART];
  if (isObject(below)) return { values: below };
  if (chart !== undefined) return undefined;
  const keys = Object.keys(given);
  return keys.length === 0 || keys.some((key) => OPERATOR_KEYS.has(key)) ? { values: given } : undefined;
}

function isOfSriov(given: ChartValues): boolean {
  const operator = mapAt(given, 'operator');
  return (
    SRIOV_KEYS.some((key) => Object.hasOwn(given, key)) ||
    SRIOV_OPERATOR_KEYS.some((key) => Object.hasOwn(operator, key))
  );
}

/** Where its chart has other defaults than as a part of the operator's (values.yaml of both). */
const SRIOV_DEFAULTS = { fullnameOverride: SRIOV_CHART, sriovOperatorConfig: { deploy: false } };
const SRIOV_OPERATOR_DEFAULTS = { resourcePrefix: 'openshift.io' };

function ofSriov(given: ChartValues): OperatorValues {
  const values = {
    ...SRIOV_DEFAULTS,
    ...given,
    operator: { ...SRIOV_OPERATOR_DEFAULTS, ...mapAt(given, 'operator') },
    sriovOperatorConfig: { ...SRIOV_DEFAULTS.sriovOperatorConfig, ...mapAt(given, 'sriovOperatorConfig') },
  };
  return { values: { sriovNetworkOperator: { enabled: true }, [SRIOV_CHART]: values }, isOnlySriov: true };
}
