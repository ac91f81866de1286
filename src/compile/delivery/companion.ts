import { App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { ConfigMap, ServiceAccount } from 'cdk8s-plus-28';
import { companionRights } from '../../shared/contract/companion-rights.js';
import {
  COMPANION_LABELS,
  COMPANION_NAMES,
  driverKeys,
  JOB_KEY,
  POLICY_HASH_KEY,
  NOT_SUBSTITUTED,
  POLICY_KEY,
  PROGRAM_KEY,
} from '../../shared/contract/labels.js';
import { upgradePolicyHash } from '../../shared/contract/upgrade-policy.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { sha256 } from '../../shared/lib/hash.js';
import { prettyJson } from '../../shared/lib/json.js';
import type { Config } from '../model/config.js';
import { addAccess } from './access.js';
import { addMonitoring } from './monitoring/monitoring.js';
import { addPrePull } from './pre-pull.js';
import { toUpgradePolicies } from './upgrade-policies.js';
import { addCronJob, addJob, HASH_CHARACTERS } from './workloads.js';

/**
 * The companion's objects: its ServiceAccount and roles, the program, the policy, and the Job and the
 * CronJob, which carry out this policy alone.
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
  const text = cluster.isProgramInImage ? undefined : program();
  const programName = text === undefined ? undefined : addProgram(chart, namespace, text);
  const run = { cluster, keys, policyHash: upgradePolicyHash(policy), programName };
  const job = addJob(chart, run);
  const isScheduled = spec.companion.schedule !== '';
  const rights = companionRights(policy, namespace);
  addAccess(chart, account, namespace, rights, isScheduled ? job : undefined);
  addConfigMap(chart, namespace, COMPANION_NAMES.policyConfigMap, {
    data: {
      [POLICY_HASH_KEY]: run.policyHash,
      ...(isScheduled && { [JOB_KEY]: job }),
      [POLICY_KEY]: prettyJson(policy),
    },
  });
  if (isScheduled) addCronJob(chart, run);
  addMonitoring(chart, config, policy);
  addPrePull(chart, objects, policy, cluster.isOpenshift);
  return chart.toJson() as readonly KubernetesObject[];
}

/**
 * Adds the ConfigMap of the program; returns its name, which the Job and the CronJob have. Nobody can change its content, so who may only
 * patch ConfigMaps runs no code with the companion's rights.
 */
function addProgram(scope: Construct, namespace: string, program: string): string {
  const name = `${COMPANION_NAMES.programPrefix}${sha256(program).slice(0, HASH_CHARACTERS)}`;
  addConfigMap(scope, namespace, name, { data: { [PROGRAM_KEY]: program }, immutable: true });
  return name;
}

function addConfigMap(
  scope: Construct,
  namespace: string,
  name: string,
  content: { readonly data: Readonly<Record<string, string>>; readonly immutable?: boolean },
): void {
  new ConfigMap(scope, name, { metadata: { name, namespace, annotations: NOT_SUBSTITUTED }, ...content });
}
