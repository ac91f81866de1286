import { ApiObject, Cron, Duration, JsonPatch } from 'cdk8s';
import {
  ConfigMap,
  CronJob,
  EnvFieldPaths,
  EnvValue,
  Job,
  RestartPolicy,
  Volume,
  type ContainerProps,
  type IServiceAccount,
  type ServiceAccount,
  type Workload,
  type WorkloadProps,
} from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { COMPANION_ENV, METRICS_PORT, METRICS_PORT_NAME, type COMPANION_MODES } from '../contract/companion-env.js';
import {
  COMPANION_COMPONENT,
  COMPANION_NAMES,
  driverKeys,
  IN_PROGRESS_STATES,
  NFD_LABELS,
  OFED_LABEL_PREFIX,
  PROGRAM_KEY,
} from '../contract/labels.js';
import type { Cluster } from '../model/config.js';

/** The folder of the program, in the ConfigMap's volume and in the image of the Dockerfile. */
const PROGRAM_FOLDER = '/weft';
const PROGRAM_FILE = 'companion.cjs';

/** The user `node` of the official images. OpenShift assigns a user of the namespace's range instead. */
const NODE_USER = 1000;

/** Exit codes that another pod would repeat: failed nodes; an invalid policy, or missing rights. */
const FINAL_EXITS = [2, 10];
/** SIGTERM, for instance from `kubectl delete pod`, which does not set the condition DisruptionTarget. */
const STOPPED_EXIT = 143;

/**
 * Crashes after which the Job fails: about ten hours of them, six minutes apart. Evictions, preemptions and drains are
 * not counted, because a long rollout can have many.
 */
const BACKOFF_LIMIT = 100;
/** Few retries, because the CronJob starts another run. */
const CRON_JOB_BACKOFF_LIMIT = 3;

const DEFAULT_RESOURCES = { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } };

/** The pod is restarted if the process does not answer for two minutes; a decision takes less than a second. */
const LIVENESS_PROBE = {
  // Patches are applied before the generated classes of cdk8s-plus convert the value, so it has their form.
  httpGet: { path: '/healthz', port: { value: METRICS_PORT_NAME } },
  periodSeconds: 20,
  timeoutSeconds: 10,
  failureThreshold: 6,
};

/** The common input of the Job and the CronJob. */
interface WorkloadInput {
  readonly cluster: Cluster;
  readonly account: ServiceAccount;
  readonly labels: Readonly<Record<string, string>>;
}

/** The Job for one policy. The caller sets its name, which has a hash of the spec. */
export function addJob(scope: Construct, input: WorkloadInput, policyHash: string): Job {
  const job = new Job(scope, 'job', {
    ...workloadProps(scope, 'job', input, { [COMPANION_ENV.policyHash]: EnvValue.fromValue(policyHash) }),
    metadata: { name: COMPANION_NAMES.jobPrefix, namespace: input.cluster.namespace, labels: input.labels },
    backoffLimit: BACKOFF_LIMIT,
  });
  patchRun(job, '/spec', input);
  return job;
}

/** The CronJob, which uses the current policy. */
export function addCronJob(scope: Construct, input: WorkloadInput): void {
  const { namespace, spec } = input.cluster;
  const cronJob = new CronJob(scope, 'cron-job', {
    ...workloadProps(scope, 'cronjob', input, {}),
    metadata: { name: COMPANION_NAMES.cronJob, namespace, labels: input.labels },
    // A placeholder: the text of the schedule is patched in unchanged, because `Cron` cannot represent macros such as
    // `@hourly`.
    schedule: Cron.everyMinute(),
    // A run may start late. Without a deadline, a CronJob stops after 100 missed runs.
    startingDeadline: Duration.minutes(5),
    backoffLimit: CRON_JOB_BACKOFF_LIMIT,
    successfulJobsRetained: 1,
    failedJobsRetained: 1,
  });
  ApiObject.of(cronJob).addJsonPatch(JsonPatch.replace('/spec/schedule', spec.companion.schedule));
  patchRun(cronJob, '/spec/jobTemplate/spec', input);
}

function workloadProps(
  scope: Construct,
  mode: (typeof COMPANION_MODES)[number],
  { cluster, account }: WorkloadInput,
  env: Readonly<Record<string, EnvValue>>,
): WorkloadProps {
  return {
    // The types of cdk8s-plus do not distinguish an absent property from an undefined one.
    serviceAccount: account as IServiceAccount,
    automountServiceAccountToken: true,
    restartPolicy: RestartPolicy.NEVER,
    securityContext: { ensureNonRoot: true, ...(!cluster.isOpenshift && { user: NODE_USER, group: NODE_USER }) },
    containers: [container(scope, mode, cluster, env)],
  };
}

function container(
  scope: Construct,
  mode: (typeof COMPANION_MODES)[number],
  { spec: { companion }, isOpenshift }: Cluster,
  env: Readonly<Record<string, EnvValue>>,
): ContainerProps {
  const program = ConfigMap.fromConfigMapName(scope, `${mode}-program`, COMPANION_NAMES.programConfigMap);
  const volume = Volume.fromConfigMap(scope, `${mode}-volume`, program, {
    name: 'program',
    items: { [PROGRAM_KEY]: { path: PROGRAM_FILE } },
  });
  return {
    name: COMPANION_COMPONENT,
    image: companion.image || companion.nodeImage,
    command: ['node', `${PROGRAM_FOLDER}/${PROGRAM_FILE}`],
    envVariables: {
      [COMPANION_ENV.podName]: EnvValue.fromFieldRef(EnvFieldPaths.POD_NAME),
      [COMPANION_ENV.namespace]: EnvValue.fromFieldRef(EnvFieldPaths.POD_NAMESPACE),
      [COMPANION_ENV.jobName]: EnvValue.fromFieldRef(EnvFieldPaths.POD_LABEL, { key: 'batch.kubernetes.io/job-name' }),
      [COMPANION_ENV.jobUid]: EnvValue.fromFieldRef(EnvFieldPaths.POD_LABEL, {
        key: 'batch.kubernetes.io/controller-uid',
      }),
      [COMPANION_ENV.mode]: EnvValue.fromValue(mode),
      [COMPANION_ENV.logLevel]: EnvValue.fromValue(companion.logLevel),
      [COMPANION_ENV.clientQps]: EnvValue.fromValue(String(companion.client.qps)),
      [COMPANION_ENV.clientBurst]: EnvValue.fromValue(String(companion.client.burst)),
      [COMPANION_ENV.metricsPort]: EnvValue.fromValue(String(METRICS_PORT)),
      ...env,
    },
    securityContext: { ensureNonRoot: true, ...(!isOpenshift && { user: NODE_USER, group: NODE_USER }) },
    // The defaults of cdk8s-plus do not fit; Weft's are patched in.
    resources: {},
    ...(companion.image === '' && { volumeMounts: [{ path: PROGRAM_FOLDER, volume, readOnly: true }] }),
  };
}

/**
 * Patches for fields for which cdk8s-plus has no property, or whose property would change the text of the document.
 *
 * @param job path of the Job's spec in the object
 */
function patchRun(workload: Workload, job: string, { cluster, labels }: WorkloadInput): void {
  const { companion } = cluster.spec;
  const pod = `${job}/template/spec`;
  const first = `${pod}/containers/0`;
  const podLabels = { ...labels, [driverKeys(OFED_LABEL_PREFIX).skipDrain]: 'true' };
  const add = (path: string, value: unknown): JsonPatch => JsonPatch.add(path, value);
  ApiObject.of(workload).addJsonPatch(
    add(`${job}/podFailurePolicy`, { rules: podFailureRules() }),
    // Replaces a label that cdk8s-plus derives from the path in the tree.
    add(`${job}/template/metadata`, { labels: podLabels }),
    add(`${pod}/priorityClassName`, 'system-cluster-critical'),
    add(`${pod}/securityContext/seccompProfile`, { type: 'RuntimeDefault' }),
    add(`${pod}/tolerations`, [...OWN_TOLERATIONS, ...companion.tolerations]),
    add(`${pod}/affinity`, { nodeAffinity: companion.affinity ?? AWAY_FROM_DRIVERS }),
    ...(Object.keys(companion.nodeSelector).length > 0 ? [add(`${pod}/nodeSelector`, companion.nodeSelector)] : []),
    ...(companion.imagePullSecrets.length > 0
      ? [
          add(
            `${pod}/imagePullSecrets`,
            [...new Set(companion.imagePullSecrets)].map((name) => ({ name })),
          ),
        ]
      : []),
    add(`${first}/resources`, resourcesOf(companion.resources ?? DEFAULT_RESOURCES)),
    add(`${first}/securityContext/capabilities`, { drop: ['ALL'] }),
    add(`${first}/terminationMessagePolicy`, 'FallbackToLogsOnError'),
    add(`${first}/imagePullPolicy`, 'IfNotPresent'),
    add(`${first}/ports`, [{ name: METRICS_PORT_NAME, containerPort: METRICS_PORT, protocol: 'TCP' }]),
    add(`${first}/livenessProbe`, LIVENESS_PROBE),
  );
}

/** Quantities in the form that the generated classes of cdk8s-plus convert after patches are applied. */
function resourcesOf(amounts: Amounts): object {
  const quantities = (of: Amounts[string] = {}) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, { value: String(value) }]));
  return Object.fromEntries(Object.entries(amounts).map(([kind, of]) => [kind, quantities(of)]));
}

type Amounts = Readonly<Record<string, Readonly<Record<string, string | number>> | undefined>>;

function podFailureRules(): readonly object[] {
  const onExit = (action: string, values: readonly number[]) => ({
    action,
    onExitCodes: { containerName: COMPANION_COMPONENT, operator: 'In', values },
  });
  return [
    onExit('FailJob', FINAL_EXITS),
    { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    onExit('Ignore', [STOPPED_EXIT]),
  ];
}

/**
 * The control plane has no drivers. A node that is being drained may be the only one on which the companion can run.
 */
const OWN_TOLERATIONS = [
  { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

/** Prefers nodes without NICs, then nodes whose driver is not being upgraded. */
const AWAY_FROM_DRIVERS = {
  preferredDuringSchedulingIgnoredDuringExecution: [
    {
      weight: 100,
      preference: { matchExpressions: [{ key: NFD_LABELS.nicPresent, operator: 'NotIn', values: ['true'] }] },
    },
    {
      weight: 50,
      preference: {
        matchExpressions: [
          {
            key: driverKeys(OFED_LABEL_PREFIX).state,
            operator: 'NotIn',
            values: [...IN_PROGRESS_STATES],
          },
        ],
      },
    },
  ],
};
