import type { ClusterSpecInput } from '../../compile/model/input.js';

/** An entry of the environment of a container. */
export interface DriverManagerVariable {
  readonly name: string;
  /** Absent: empty text. */
  readonly value?: string;
}

/** The policy by which the companion does what k8s-driver-manager did. */
export interface DriverManagerPolicy {
  /** `gpuDriver.upgradePolicy` of a Cluster document. */
  readonly upgradePolicy: NonNullable<NonNullable<ClusterSpecInput['gpuDriver']>['upgradePolicy']>;
  /** In what the companion differs from k8s-driver-manager with this environment, as sentences without a full stop. */
  readonly notes: readonly string[];
}

/**
 * The `gpuDriver.upgradePolicy` of a Cluster document for the environment of k8s-driver-manager, the init container of GPU driver pods. Give
 * it the variables of that container as its DaemonSet has them, because the GPU operator sets some that a ClusterPolicy does not name.
 * For a variable that is absent the default of k8s-driver-manager holds; other variables are ignored; of two with one name the last counts.
 *
 * | variable | default | what it becomes |
 * | --- | --- | --- |
 * | `ENABLE_GPU_POD_EVICTION` | `true` | nothing: the companion evicts pods that hold a GPU in any case. If `ENABLE_AUTO_DRAIN` is off too, `autoUpgrade: false` |
 * | `ENABLE_AUTO_DRAIN` | `true` | `drain.enable` |
 * | `DRAIN_USE_FORCE` | `false` | `force` of `gpuPodDeletion` and `drain` |
 * | `DRAIN_DELETE_EMPTYDIR_DATA` | `false` | `deleteEmptyDir` of both |
 * | `DRAIN_TIMEOUT_SECONDS` | `0s` | `timeoutSeconds` of both: a duration of Go, rounded up to seconds; 0 for no limit |
 * | `DRAIN_POD_SELECTOR_LABEL` | empty | `podSelector` of `drain` |
 *
 * Source: k8s-driver-manager bd62ca7d, `cmd/driver-manager/main.go` and `internal/kubernetes/client.go`.
 *
 * @throws Error that names every variable which k8s-driver-manager would refuse
 * @example
 * const env = daemonSet.spec.template.spec.initContainers.find(({ name }) => name === 'k8s-driver-manager').env;
 * const { upgradePolicy, notes } = gpuUpgradePolicyOf(env);
 */
export function gpuUpgradePolicyOf(environment: readonly DriverManagerVariable[]): DriverManagerPolicy {
  const values = new Map(environment.map(({ name, value = '' }) => [name, value]));
  const problems: string[] = [];
  const flag = (name: string, byDefault: boolean): boolean => {
    const text = values.get(name);
    if (text === undefined) return byDefault;
    const value = FLAGS.get(text);
    if (value === undefined) problems.push(`${name} is \`${text}\`, which is neither \`true\` nor \`false\``);
    return value ?? byDefault;
  };
  const hasEviction = flag('ENABLE_GPU_POD_EVICTION', true);
  const hasDrain = flag('ENABLE_AUTO_DRAIN', true);
  const timeout = values.get(TIMEOUT) ?? '';
  const timeoutSeconds = timeout === '' ? 0 : goDurationSeconds(timeout);
  if (timeoutSeconds === undefined)
    problems.push(`${TIMEOUT} is \`${timeout}\`, which is no duration such as \`300s\``);
  const step = {
    force: flag('DRAIN_USE_FORCE', false),
    deleteEmptyDir: flag('DRAIN_DELETE_EMPTYDIR_DATA', false),
    timeoutSeconds: timeoutSeconds ?? 0,
  };
  if (problems.length > 0) throw new Error(problems.join('; '));
  return {
    upgradePolicy: {
      autoUpgrade: hasEviction || hasDrain,
      gpuPodDeletion: step,
      drain: { enable: hasDrain, ...step, podSelector: values.get('DRAIN_POD_SELECTOR_LABEL') ?? '' },
    },
    notes: notesOn(hasEviction, hasDrain),
  };
}

const TIMEOUT = 'DRAIN_TIMEOUT_SECONDS';

/** What Go's `strconv.ParseBool` reads, and empty text, which the command line of k8s-driver-manager takes as false. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False', ''].map((text) => [text, false] as const),
]);

function notesOn(hasEviction: boolean, hasDrain: boolean): readonly string[] {
  if (hasEviction) return [];
  return [
    hasDrain
      ? 'ENABLE_GPU_POD_EVICTION is off: k8s-driver-manager drained a node only if its driver could not be unloaded; the companion evicts the pods ' +
        'that hold a GPU first'
      : 'ENABLE_GPU_POD_EVICTION and ENABLE_AUTO_DRAIN are off: k8s-driver-manager evicted no pod, so the policy has `autoUpgrade: false`',
  ];
}

/** Seconds of the units of Go's `time.ParseDuration`. */
const GO_UNITS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};
const GO_PART = String.raw`(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)`;

/** Seconds of a duration of Go, rounded up; undefined if the text is none, or negative, which a drain refuses. */
function goDurationSeconds(text: string): number | undefined {
  if (text === '0') return 0;
  if (!new RegExp(`^\\+?(?:${GO_PART})+$`).test(text)) return undefined;
  const parts = [...text.matchAll(new RegExp(GO_PART, 'gy'))];
  const seconds = parts.reduce((sum, [, number, unit]) => sum + Number(number) * (GO_UNITS[unit ?? ''] ?? 0), 0);
  // The sum of decimal fractions may be a little too large.
  const rounded = Math.ceil(Number(seconds.toFixed(6)));
  return Number.isSafeInteger(rounded) ? rounded : undefined;
}
