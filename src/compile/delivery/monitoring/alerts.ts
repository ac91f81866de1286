import { inProgressStates } from '../../../shared/contract/node-states.js';
import { upgradeCommand } from '../../../shared/contract/upgrade-command.js';
import { COMPANION_NAMES, driverKeys, NFD_LABELS } from '../../../shared/contract/labels.js';

/** The input of the alerts. */
interface AlertInput {
  /** Namespace of the companion and the drivers. */
  readonly namespace: string;
  /** Label prefix of the driver. */
  readonly driver: string;
  /** The same, if commands have to name the driver. Default: the policy has no other. */
  readonly named?: string | undefined;
  /** Whether the drivers are being uninstalled, so that nodes without a driver are expected. */
  readonly uninstall: boolean;
  /** A regular expression for the names of its DaemonSets of any policy and kernel. */
  readonly anyDaemonSet: string;
  /** Names of the driver DaemonSets that the policy lists. */
  readonly daemonSets: readonly string[];
  /** Whether a CronJob is rendered. */
  readonly hasSchedule: boolean;
  /** Whether the Maintenance Operator cordons and drains. */
  readonly asksOperator: boolean;
}

/** An alert of Prometheus, `monitoring.coreos.com/v1` `PrometheusRule.spec.groups[].rules[]`. */
interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: 'critical' | 'warning' | 'info'; readonly driver: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/** The documentation of the alerts. */
const RUNBOOKS = 'docs/guide/alerts.md of Weft';

/** The name of the Job ends with ten hexadecimal digits; Jobs of the CronJob end with the minutes since 1970. */
const JOB_NAMES = `${COMPANION_NAMES.jobPrefix}[0-9a-f]{10}`;
const ANY_JOB = `${COMPANION_NAMES.jobPrefix}[0-9a-f]+`;

/**
 * All alerts use metrics of kube-state-metrics, which exist also when no companion pod runs: labels of nodes, counts of
 * DaemonSets, conditions of Jobs.
 */
export function alertsOf(input: AlertInput): readonly Alert[] {
  return [...nodeAlerts(input), ...driverAlerts(input), ...companionAlerts(input)];
}

/**
 * The alerts of a driver whose DaemonSets are selected: those about nodes, because kube-state-metrics does not show the labels by which
 * DaemonSets are selected, and those about the companion, unless another driver has them.
 */
export function selectedDriverAlerts(
  input: Omit<AlertInput, 'uninstall' | 'anyDaemonSet' | 'daemonSets'>,
  isWithCompanion: boolean,
): readonly Alert[] {
  return [...nodeAlerts(input), ...(isWithCompanion ? companionAlerts(input) : [])];
}

/** A label of a Kubernetes object as kube-state-metrics names it: every other character becomes `_`. */
export function metricLabel(key: string): string {
  return `label_${key.replace(/[^A-Za-z0-9_]/g, '_')}`;
}

type AlertText = Omit<Alert, 'labels' | 'annotations'> & {
  readonly severity: Alert['labels']['severity'];
  readonly summary: string;
  readonly description: string;
};

function alertOf(
  { driver }: Pick<AlertInput, 'driver'>,
  { severity, summary, description, ...rule }: AlertText,
): Alert {
  const annotations = { summary, description: `${description} See ${RUNBOOKS}, ${rule.alert}.` };
  return { ...rule, labels: { severity, driver }, annotations };
}

function nodeAlerts(input: Pick<AlertInput, 'driver' | 'named' | 'asksOperator'>): readonly Alert[] {
  // Names of nodes that Prometheus has are those of the API server.
  const explain = upgradeCommand('explain', 'NODE', input.named).replace('NODE', '{{ $labels.node }}');
  const state = metricLabel(driverKeys(input.driver).state);
  // There may be no time limit for Jobs of workloads, so `stuck` does not apply to them.
  const inProgress = inProgressStates(input.asksOperator)
    .filter((one) => one !== 'wait-for-jobs-required')
    .join('|');
  return [
    alertOf(input, {
      alert: 'WeftUpgradeNodeFailed',
      expr: `kube_node_labels{${state}="upgrade-failed"} == 1`,
      for: '5m',
      severity: 'critical',
      summary: 'The driver upgrade of node {{ $labels.node }} failed.',
      description: `\`${explain}\` says why, and what can be done.`,
    }),
    alertOf(input, {
      alert: 'WeftUpgradeNodeStuck',
      expr: `kube_node_labels{${state}=~"${inProgress}"} == 1`,
      for: '1h',
      severity: 'warning',
      summary: `Node {{ $labels.node }} has been in {{ $labels.${state} }} for an hour.`,
      description: `A pod, a budget or a finalizer holds it, or no companion runs. \`${explain}\` says which.`,
    }),
    alertOf(input, {
      alert: 'WeftUpgradeNodeLabelsMissing',
      expr: `absent(kube_node_labels{${state}!=""})`,
      for: '1h',
      severity: 'info',
      summary: 'The alerts about nodes cannot fire: kube-state-metrics does not show the state of the nodes.',
      description: 'Its flag --metric-labels-allowlist has to name the labels, or no companion has run yet.',
    }),
  ];
}

function driverAlerts(input: AlertInput): readonly Alert[] {
  const { namespace, uninstall, anyDaemonSet } = input;
  const unlisted = input.daemonSets.map((name) => `daemonset!="${name}"`);
  if (uninstall) return [];
  const nic = metricLabel(NFD_LABELS.nicPresent);
  const daemonSets = `namespace="${namespace}",daemonset=~"${anyDaemonSet}"`;
  const pods = `namespace="${namespace}",created_by_kind="DaemonSet",created_by_name=~"${anyDaemonSet}"`;
  return [
    alertOf(input, {
      alert: 'WeftNodeUncovered',
      expr: `kube_node_labels{${nic}="true"} unless on (node) kube_pod_info{${pods}}`,
      for: '30m',
      severity: 'warning',
      summary: 'Node {{ $labels.node }} has NICs and no driver.',
      description:
        'No driver DaemonSet covers it: its kernel or its kind is new. `weft pools --check` names what is missing.',
    }),
    alertOf(input, {
      alert: 'WeftDriverWithoutSuccessor',
      // Pods on nodes that repel new ones, and DaemonSets that the policy does not list any more.
      expr:
        `kube_daemonset_status_number_misscheduled{${daemonSets}} > 0 ` +
        `or kube_daemonset_status_current_number_scheduled{${[daemonSets, ...unlisted].join(',')}} > 0`,
      for: '1h',
      severity: 'warning',
      summary: '{{ $value }} nodes keep the driver of {{ $labels.daemonset }}, and nothing upgrades it.',
      description:
        'No DaemonSet of the policy would put a driver there: a taint, a kernel, a pool or a policy that is gone. `weft upgrade status` names the nodes.',
    }),
    alertOf(input, {
      alert: 'WeftDriverNotReady',
      expr: `kube_daemonset_status_desired_number_scheduled{${daemonSets}} - kube_daemonset_status_number_ready{${daemonSets}} > 0`,
      for: '1h',
      severity: 'warning',
      summary: '{{ $value }} driver pods of {{ $labels.daemonset }} have not been ready for an hour.',
      description: '`weft upgrade status` shows the nodes, `kubectl logs` of the driver pod the reason.',
    }),
  ];
}

function companionAlerts(input: Pick<AlertInput, 'driver' | 'namespace' | 'hasSchedule'>): readonly Alert[] {
  const inNamespace = `namespace="${input.namespace}"`;
  const cronJob = `{${inNamespace},cronjob="${COMPANION_NAMES.cronJob}"}`;
  const job: readonly AlertText[] = [
    {
      alert: 'WeftCompanionJobFailed',
      expr: `kube_job_failed{${inNamespace},job_name=~"${JOB_NAMES}",condition="true"} == 1`,
      for: '1m',
      severity: 'critical',
      summary: 'The Job {{ $labels.job_name }} of the companion failed.',
      description:
        'Nodes failed, or the policy or a right is missing: its Event and its termination message say which.',
    },
    {
      alert: 'WeftCompanionCrashes',
      expr:
        `sum by (namespace, job_name) (kube_job_status_failed{${inNamespace},job_name=~"${ANY_JOB}"}) >= 3 ` +
        `and on (namespace, job_name) kube_job_status_active{${inNamespace}} > 0`,
      for: '1m',
      severity: 'warning',
      summary: '{{ $value }} pods of the Job {{ $labels.job_name }} of the companion failed.',
      description: '`weft upgrade logs` shows the last one.',
    },
  ];
  const schedule: readonly AlertText[] = [
    {
      alert: 'WeftCompanionNotSucceeding',
      // A run may take hours; it is active all the time.
      expr:
        `kube_cronjob_status_last_schedule_time${cronJob} ` +
        `unless (kube_cronjob_status_last_successful_time${cronJob} >= kube_cronjob_status_last_schedule_time${cronJob}) ` +
        `unless (min_over_time(kube_cronjob_status_active${cronJob}[30m]) > 0)`,
      for: '45m',
      severity: 'warning',
      summary: 'The runs of the CronJob {{ $labels.cronjob }} of the companion do not succeed.',
      description: 'Windows, repaired nodes and new nodes wait for it. `weft upgrade logs` shows the last run.',
    },
  ];
  return [...job, ...(input.hasSchedule ? schedule : [])].map((one) => alertOf(input, one));
}
