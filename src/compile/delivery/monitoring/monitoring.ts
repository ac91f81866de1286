import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { METRICS_PORT_NAME } from '../../../shared/contract/companion-env.js';
import {
  COMPANION_COMPONENT,
  COMPANION_NAMES,
  COMPONENT_LABEL,
  NOT_SUBSTITUTED,
} from '../../../shared/contract/labels.js';
import { namedDriver } from '../../../shared/contract/upgrade-command.js';
import type { DriverPolicy, UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { prettyJson } from '../../../shared/lib/json.js';
import type { Config } from '../../model/config.js';
import { configuredDrivers } from '../drivers.js';
import { alertsOf, selectedDriverAlerts } from './alerts.js';
import { dashboardOf } from './dashboard.js';

const API_VERSION = 'monitoring.coreos.com/v1';

/** PodMonitor, PrometheusRule and Grafana dashboard, as enabled in `companion.monitoring`. */
export function addMonitoring(scope: Construct, config: Config, { drivers, nodeMaintenance }: UpgradePolicy): void {
  const { namespace, spec } = config.cluster;
  const { enable, labels, scrapeInterval, dashboardLabels } = spec.companion.monitoring;
  if (!enable) return;
  const metadata = { name: COMPANION_NAMES.account, namespace, labels };
  const object = (id: string, content: object): void => {
    new ApiObject(scope, id, content as ConstructorParameters<typeof ApiObject>[2]);
  };
  object('pod-monitor', {
    apiVersion: API_VERSION,
    kind: 'PodMonitor',
    metadata,
    spec: {
      selector: { matchLabels: { [COMPONENT_LABEL]: COMPANION_COMPONENT } },
      podMetricsEndpoints: [{ port: METRICS_PORT_NAME, path: '/metrics', interval: scrapeInterval }],
    },
  });
  const namesOf = new Map(configuredDrivers(config).map(({ driver }) => [driver.labelPrefix, driver.daemonSetNames]));
  const isNoneListed = drivers.every(({ kind }) => kind !== 'ofed');
  const alertsForCompanion = isNoneListed ? drivers[0]?.labelPrefix : undefined;
  const rulesOf = (driver: DriverPolicy) => {
    const { labelPrefix } = driver;
    const hasSchedule = spec.companion.schedule !== '';
    const named = namedDriver(labelPrefix, drivers);
    const input = { namespace, driver: labelPrefix, named, hasSchedule, asksOperator: nodeMaintenance !== undefined };
    if (driver.kind !== 'ofed') return selectedDriverAlerts(input, labelPrefix === alertsForCompanion);
    return alertsOf({
      ...input,
      uninstall: driver.uninstall,
      anyDaemonSet: namesOf.get(labelPrefix) ?? '.*',
      daemonSets: driver.policies.flatMap((policy) => policy.daemonSets.map(({ name }) => name)),
    });
  };
  object('prometheus-rule', {
    apiVersion: API_VERSION,
    kind: 'PrometheusRule',
    metadata,
    spec: {
      groups: drivers.map((driver) => ({
        name: `${COMPANION_NAMES.account}-${driver.labelPrefix}`,
        rules: rulesOf(driver),
      })),
    },
  });
  const dashboards = drivers.map((driver) => [
    `${COMPANION_NAMES.account}-${driver.labelPrefix}.json`,
    prettyJson(dashboardOf(driver)),
  ]);
  object('dashboard', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: COMPANION_NAMES.dashboardConfigMap,
      namespace,
      labels: dashboardLabels,
      annotations: NOT_SUBSTITUTED,
    },
    data: Object.fromEntries(dashboards) as Record<string, string>,
  });
}
