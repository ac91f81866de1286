import { App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { ConfigMap, ServiceAccount } from 'cdk8s-plus-28';
import { companionRights } from '../contract/companion-rights.js';
import {
  COMPANION_LABELS,
  COMPANION_NAMES,
  driverKeys,
  JOB_KEY,
  NOT_SUBSTITUTED,
  POLICY_KEY,
  PROGRAM_KEY,
} from '../contract/labels.js';
import { upgradePolicyHash } from '../contract/upgrade-policy.js';
import type { KubernetesObject } from '../kubernetes/types.js';
import { prettyJson } from '../lib/json.js';
import type { Config } from '../model/config.js';
import { addAccess } from './access.js';
import { addMonitoring } from './monitoring/monitoring.js';
import { addPrePull } from './pre-pull.js';
import { toUpgradePolicies } from './upgrade-policies.js';
import { addCronJob, addJob } from './workloads.js';

/**
 * The companion's objects: its ServiceAccount and roles, the program, the policy, the Job for this policy, and the
 * CronJob, which always uses the current policy.
 *
 * @param objects everything else that is rendered for the configuration
 * @param program text of the program; not called if an image has it
 */
export function companionObjects(
  config: Config,
  objects: readonly KubernetesObject[],
  program: () => string,
): readonly KubernetesObject[] {
  const { cluster } = config;
  const { namespace, spec } = cluster;
  const policy = toUpgradePolicies(config, objects);
  const chart = new Chart(new App(), 'companion', { disableResourceNameHashes: true, labels: COMPANION_LABELS });
  const account = new ServiceAccount(chart, 'account', {
    metadata: { name: COMPANION_NAMES.account, namespace },
    automountToken: false,
  });
  const keys = policy.drivers.map(({ labelPrefix }) => driverKeys(labelPrefix));
  const job = addJob(chart, cluster, keys, upgradePolicyHash(policy));
  const isScheduled = spec.companion.schedule !== '';
  const rights = companionRights(policy, namespace);
  addAccess(chart, account, namespace, rights, isScheduled ? job : undefined);
  if (spec.companion.image === '')
    addConfigMap(chart, namespace, COMPANION_NAMES.programConfigMap, { [PROGRAM_KEY]: program() });
  addConfigMap(chart, namespace, COMPANION_NAMES.policyConfigMap, {
    ...(isScheduled && { [JOB_KEY]: job }),
    [POLICY_KEY]: prettyJson(policy),
  });
  if (isScheduled) addCronJob(chart, cluster, keys);
  addMonitoring(chart, config, policy);
  addPrePull(chart, objects, policy, cluster.isOpenshift);
  return chart.toJson() as readonly KubernetesObject[];
}

function addConfigMap(scope: Construct, namespace: string, name: string, data: Readonly<Record<string, string>>): void {
  new ConfigMap(scope, name, { metadata: { name, namespace, annotations: NOT_SUBSTITUTED }, data });
}
