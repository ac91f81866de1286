import { FINAL_EXIT_CODES, OUTCOMES } from '../../shared/contract/outcomes.js';
import { inProgressStates } from '../../shared/contract/node-states.js';
import type { Construct } from 'constructs';
import {
  COMPANION_ENV,
  METRICS_PORT,
  METRICS_PORT_NAME,
  type COMPANION_MODES,
} from '../../shared/contract/companion-env.js';
import {
  COMPANION_COMPONENT,
  COMPANION_LABELS,
  COMPANION_NAMES,
  type DriverKeys,
  NFD_LABELS,
  PROGRAM_KEY,
} from '../../shared/contract/labels.js';
import { addObject } from '../../shared/kubernetes/objects.js';
import { sha256 } from '../../shared/lib/hash.js';
import { canonicalJson } from '../../shared/lib/json.js';
import { pulledObject, pullSettings } from '../images/pulled.js';
import type { Cluster } from '../model/config.js';

/** The folder of the program, in the ConfigMap's volume and in the image of the Dockerfile. */
const PROGRAM_FOLDER = '/weft';
const PROGRAM_FILE = 'companion.cjs';

/** The user `node` of the official images. OpenShift assigns a user of the namespace's range instead. */
const NODE_USER = 1000;

/** SIGTERM, for instance from `kubectl delete pod`, which does not set the condition DisruptionTarget. */
const STOPPED_EXIT = OUTCOMES.stopped.exitCode;

/**
 * Crashes after which the Job fails: about ten hours of them, six minutes apart. Evictions, preemptions and drains are
 * not counted, because a long rollout can have many.
 */
const BACKOFF_LIMIT = 100;
/** Few retries, because the CronJob starts another run. */
const CRON_JOB_BACKOFF_LIMIT = 3;

const DEFAULT_RESOURCES = { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } };

/** 40 bits: enough to distinguish the runs and programs of one cluster, and short enough to read. */
export const HASH_CHARACTERS = 10;

/** The pod is restarted if the process does not answer for two minutes; a decision takes less than a second. */
const LIVENESS_PROBE = {
  httpGet: { path: '/healthz', port: METRICS_PORT_NAME },
  periodSeconds: 20,
  timeoutSeconds: 10,
  failureThreshold: 6,
};

type Mode = (typeof COMPANION_MODES)[number];

/** What the pods of the Job and of the CronJob have in common. */
interface CompanionRun {
  readonly cluster: Cluster;
  readonly keys: readonly DriverKeys[];
  /** Hash of the only policy that the pods carry out. */
  readonly policyHash: string;
  /** Name of the ConfigMap with the program; absent where the image has it. */
  readonly programName: string | undefined;
}

/**
 * Adds the Job for one policy; returns its name, which has a hash of the policy and the settings, because a Job cannot be changed.
 *
 * These two are plain objects: cdk8s-plus has no property for half of their fields, and its defaults do not fit the others.
 */
export function addJob(scope: Construct, run: CompanionRun): string {
  const { namespace } = run.cluster;
  const given = { backoffLimit: BACKOFF_LIMIT, ...runSpec(run, 'job') };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: '', namespace }, spec: given };
  const { spec } = pulledObject(job, pullSettings(run.cluster)) as typeof job;
  const name = `${COMPANION_NAMES.jobPrefix}${sha256(canonicalJson(spec)).slice(0, HASH_CHARACTERS)}`;
  addObject(scope, { ...job, metadata: { name, namespace }, spec });
  return name;
}

/** Adds the CronJob. */
export function addCronJob(scope: Construct, run: CompanionRun): void {
  const { cluster } = run;
  const cronJob = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: COMPANION_NAMES.cronJob, namespace: cluster.namespace },
    spec: {
      schedule: cluster.spec.companion.schedule,
      concurrencyPolicy: 'Forbid',
      suspend: false,
      // A run may start late. Without a deadline, a CronJob stops after 100 missed runs.
      startingDeadlineSeconds: 300,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: { backoffLimit: CRON_JOB_BACKOFF_LIMIT, ...runSpec(run, 'cronjob') } },
    },
  };
  addObject(scope, pulledObject(cronJob, pullSettings(cluster)));
}

/** A sidecar of Istio outlives the program, so that its Job would never end: the label by which the injector leaves a pod alone (`pkg/kube/inject`). */
const NO_SIDECAR = { 'sidecar.istio.io/inject': 'false' };

/** What the spec of a Job has in both. */
function runSpec(run: CompanionRun, mode: Mode): object {
  const { keys } = run;
  return {
    podFailurePolicy: { rules: podFailureRules() },
    template: {
      metadata: {
        labels: {
          ...COMPANION_LABELS,
          ...NO_SIDECAR,
          ...Object.fromEntries(keys.map(({ skipDrain }) => [skipDrain, 'true'])),
        },
      },
      spec: podSpec(run, container(run, mode)),
    },
  };
}

function podSpec({ cluster, keys, programName }: CompanionRun, only: object): object {
  const { companion, upgrade } = cluster.spec;
  const pullSecrets = [...new Set(companion.imagePullSecrets)].map((name) => ({ name }));
  return {
    serviceAccountName: COMPANION_NAMES.account,
    automountServiceAccountToken: true,
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    hostNetwork: false,
    setHostnameAsFQDN: false,
    priorityClassName: 'system-cluster-critical',
    securityContext: {
      ...userOf(cluster.isOpenshift),
      fsGroupChangePolicy: 'Always',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    tolerations: [...OWN_TOLERATIONS, ...companion.tolerations],
    affinity: {
      nodeAffinity:
        companion.affinity ?? awayFromDrivers(keys, inProgressStates(upgrade.drainer === 'MaintenanceOperator')),
    },
    ...(Object.keys(companion.nodeSelector).length > 0 && { nodeSelector: companion.nodeSelector }),
    ...(pullSecrets.length > 0 && { imagePullSecrets: pullSecrets }),
    containers: [only],
    ...(programName !== undefined && { volumes: [programVolume(programName)] }),
  };
}

/**
 * Optional, because the ConfigMap of an older program is pruned: a pod of an older Job, or of a Job that the CronJob made just before it
 * changed, fails then. It would wait for ever otherwise, and the CronJob with it, which starts no run beside another.
 */
const programVolume = (name: string): object => ({
  name: 'program',
  configMap: { name, items: [{ key: PROGRAM_KEY, path: PROGRAM_FILE }], optional: true },
});

function container({ cluster, policyHash, programName }: CompanionRun, mode: Mode): object {
  const { companion } = cluster.spec;
  return {
    name: COMPANION_COMPONENT,
    image: cluster.companionImage,
    imagePullPolicy: 'IfNotPresent',
    command: ['node', `${PROGRAM_FOLDER}/${PROGRAM_FILE}`],
    env: [
      fromField(COMPANION_ENV.podName, 'metadata.name'),
      fromField(COMPANION_ENV.namespace, 'metadata.namespace'),
      fromField(COMPANION_ENV.jobName, "metadata.labels['batch.kubernetes.io/job-name']"),
      fromField(COMPANION_ENV.jobUid, "metadata.labels['batch.kubernetes.io/controller-uid']"),
      { name: COMPANION_ENV.mode, value: mode },
      { name: COMPANION_ENV.logLevel, value: companion.logLevel },
      { name: COMPANION_ENV.clientQps, value: String(companion.client.qps) },
      { name: COMPANION_ENV.clientBurst, value: String(companion.client.burst) },
      { name: COMPANION_ENV.metricsPort, value: String(METRICS_PORT) },
      { name: COMPANION_ENV.policyHash, value: policyHash },
    ],
    ports: [{ name: METRICS_PORT_NAME, containerPort: METRICS_PORT, protocol: 'TCP' }],
    livenessProbe: LIVENESS_PROBE,
    resources: resourcesOf(companion.resources ?? DEFAULT_RESOURCES),
    securityContext: {
      ...userOf(cluster.isOpenshift),
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    ...(programName !== undefined && {
      volumeMounts: [{ name: 'program', mountPath: PROGRAM_FOLDER, readOnly: true }],
    }),
  };
}

const userOf = (isOpenshift: boolean): object => ({
  runAsNonRoot: true,
  ...(!isOpenshift && { runAsUser: NODE_USER, runAsGroup: NODE_USER }),
});

const fromField = (name: string, fieldPath: string): object => ({ name, valueFrom: { fieldRef: { fieldPath } } });

type Amounts = Readonly<Record<string, Readonly<Record<string, string | number>> | undefined>>;

/** Quantities as text, as the API server returns them. */
function resourcesOf(amounts: Amounts): object {
  const quantities = (of: Amounts[string] = {}) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, String(value)]));
  return Object.fromEntries(Object.entries(amounts).map(([kind, of]) => [kind, quantities(of)]));
}

function podFailureRules(): readonly object[] {
  const onExit = (action: string, values: readonly number[]) => ({
    action,
    onExitCodes: { containerName: COMPANION_COMPONENT, operator: 'In', values },
  });
  return [
    onExit('FailJob', FINAL_EXIT_CODES),
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

/** Prefers nodes without NICs, then nodes whose drivers are not being upgraded. */
const awayFromDrivers = (keys: readonly DriverKeys[], inProgress: readonly string[]) => ({
  preferredDuringSchedulingIgnoredDuringExecution: [
    {
      weight: 100,
      preference: { matchExpressions: [{ key: NFD_LABELS.nicPresent, operator: 'NotIn', values: ['true'] }] },
    },
    {
      weight: 50,
      preference: {
        matchExpressions: keys.map(({ state: key }) => ({ key, operator: 'NotIn', values: [...inProgress] })),
      },
    },
  ],
});
