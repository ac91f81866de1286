import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { ConfigMap, ServiceAccount } from 'cdk8s-plus-28';
import {
  COMPANION_LABELS,
  COMPANION_NAMES,
  JOB_KEY,
  NOT_SUBSTITUTED,
  POLICY_KEY,
  PROGRAM_KEY,
} from '../contract/labels.js';
import { upgradePolicyHash } from '../contract/upgrade-policy.js';
import type { KubernetesObject } from '../kubernetes/types.js';
import { sha256 } from '../lib/hash.js';
import { canonicalJson, prettyJson } from '../lib/json.js';
import type { Config } from '../model/config.js';
import { addAccess } from './access.js';
import { addMonitoring } from './monitoring/monitoring.js';
import { addPrePull } from './pre-pull.js';
import { toUpgradePolicies } from './upgrade-policies.js';
import { addCronJob, addJob } from './workloads.js';

/** 40 bits: enough to distinguish the runs of one cluster, and short enough to read. */
const RUN_CHARACTERS = 10;

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
  const input = { cluster, account, labels: COMPANION_LABELS };
  const job = addNamedJob(chart, input, upgradePolicyHash(policy));
  const isScheduled = spec.companion.schedule !== '';
  addAccess(chart, account, namespace, isScheduled ? job : undefined);
  if (spec.companion.image === '')
    addConfigMap(chart, namespace, COMPANION_NAMES.programConfigMap, { [PROGRAM_KEY]: program() });
  addConfigMap(chart, namespace, COMPANION_NAMES.policyConfigMap, {
    ...(isScheduled && { [JOB_KEY]: job }),
    [POLICY_KEY]: prettyJson(policy),
  });
  if (isScheduled) addCronJob(chart, input);
  addMonitoring(chart, cluster, policy);
  addPrePull(chart, objects, policy, cluster.isOpenshift);
  return chart.toJson() as readonly KubernetesObject[];
}

function addConfigMap(scope: Construct, namespace: string, name: string, data: Readonly<Record<string, string>>): void {
  new ConfigMap(scope, name, { metadata: { name, namespace, annotations: NOT_SUBSTITUTED }, data });
}

/** The Job and its name. The name has a hash of the policy and the settings, because a Job cannot be changed. */
function addNamedJob(scope: Construct, input: Parameters<typeof addJob>[1], policyHash: string): string {
  const job = ApiObject.of(addJob(scope, input, policyHash));
  const { spec } = job.toJson() as { readonly spec: unknown };
  const hash = sha256(canonicalJson(spec)).slice(0, RUN_CHARACTERS);
  const name = `${COMPANION_NAMES.jobPrefix}${hash}`;
  job.addJsonPatch(JsonPatch.replace('/metadata/name', name));
  return name;
}
