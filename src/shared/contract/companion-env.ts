/**
 * Environment of the companion's container: the Job and the CronJob set these variables, the program reads them. Their values are
 * text; a variable that is absent or empty has its default.
 */
export const COMPANION_ENV = {
  /** Downward API `metadata.name`: part of the identity that holds the Lease. Required. */
  podName: 'POD_NAME',
  /** Downward API `metadata.namespace`: where Lease, policy and status are. Required. */
  namespace: 'POD_NAMESPACE',
  /** Downward API, label `batch.kubernetes.io/job-name`: the same for all pods of one Job. Default: the pod's name. */
  jobName: 'JOB_NAME',
  /** Downward API, label `batch.kubernetes.io/controller-uid`: the Job gets an Event when the run ends. Default: none does. */
  jobUid: 'JOB_UID',
  /** `job` waits for the Lease, `cronjob` ends where another has it. Required. */
  mode: 'WEFT_MODE',
  /** Hash of the policy that the Job or CronJob was rendered for: it carries out no other. Default: any. */
  policyHash: 'WEFT_POLICY_HASH',
  /** `info`, `warning` or `error`: the least level that is logged. Default: `info`. */
  logLevel: 'WEFT_LOG_LEVEL',
  /** Requests to the API server each second, on average. Default: 50. */
  clientQps: 'WEFT_CLIENT_QPS',
  /** Burst size of requests to the API server. Default: 100. */
  clientBurst: 'WEFT_CLIENT_BURST',
  /** TCP port of `/metrics` and `/healthz`. Default: none is opened. */
  metricsPort: 'WEFT_METRICS_PORT',
  /** Folder with `token` and `ca.crt`. Default: the folder in which the kubelet mounts those of the ServiceAccount. */
  credentials: 'WEFT_CREDENTIALS',
  /** Set by the kubelet: address of the API server. Required. */
  apiHost: 'KUBERNETES_SERVICE_HOST',
  /** Set by the kubelet. Required. */
  apiPort: 'KUBERNETES_SERVICE_PORT',
} as const;

/** Port of `/metrics` and `/healthz` in the rendered Job and CronJob, and its name, by which a PodMonitor finds it. */
export const METRICS_PORT = 8080;
export const METRICS_PORT_NAME = 'metrics';

/** Modes of a run, as the environment spells them. */
export const COMPANION_MODES = ['job', 'cronjob'] as const;
/** Log levels, the most verbose first. */
export const LOG_LEVELS = ['info', 'warning', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Default image of the companion's program, which needs only Node 24 or newer. The digest is that of the index for all architectures
 * (docker-library/repo-info, repos/node/remote), so nobody who can move the tag runs code with the companion's rights.
 */
export const COMPANION_NODE_IMAGE =
  'docker.io/library/node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6';
