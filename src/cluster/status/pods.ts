import { isObject, listAt, textAt, valueAt } from '../../shared/lib/json.js';

/** A pod of a component. */
export interface StatusPod {
  readonly name: string;
  /** `namespace/name` of its DaemonSet or Deployment. */
  readonly workload: string;
  /** Empty before it is scheduled. */
  readonly node: string;
  readonly isReady: boolean;
  /** Why it is not ready. */
  readonly says: string;
  /** Its labels. */
  readonly labels: Readonly<Record<string, string>>;
  /** Image of each container. */
  readonly images: Readonly<Record<string, string>>;
}

/** Reads a pod as a list has it; undefined for one that has succeeded, or that no workload controls. */
export function readPod(pod: object): StatusPod | undefined {
  const text = (...path: readonly string[]) => textAt(pod, ...path) ?? '';
  const list = (...path: readonly string[]) => listAt(pod, ...path).filter(isObject);
  const phase = text('status', 'phase');
  const owner = list('metadata', 'ownerReferences').find(({ controller }) => controller === true);
  const ownerName = owner?.['name'];
  if (typeof ownerName !== 'string' || phase === 'Succeeded') return undefined;
  // The controller of a Deployment's pod is a ReplicaSet, whose name ends with the hash of the template.
  const workload = owner?.['kind'] === 'ReplicaSet' ? ownerName.replace(/-[a-z0-9]+$/, '') : ownerName;
  const labels = valueAt(pod, ['metadata', 'labels']);
  const statuses = [...list('status', 'initContainerStatuses'), ...list('status', 'containerStatuses')];
  return {
    name: text('metadata', 'name'),
    workload: `${text('metadata', 'namespace')}/${workload}`,
    node: text('spec', 'nodeName'),
    isReady: list('status', 'conditions').some(({ type, status }) => type === 'Ready' && status === 'True'),
    labels: isObject(labels) ? (labels as Record<string, string>) : {},
    images: Object.fromEntries(
      list('spec', 'containers').map((one) => [textAt(one, 'name') ?? '', textAt(one, 'image') ?? '']),
    ),
    ...saysOf(statuses.flatMap(reasonOf), text('status', 'reason'), phase, list('status', 'conditions')),
  };
}

/** Why a container does not run, unless it is about to start. */
function reasonOf(container: Readonly<Record<string, unknown>>): readonly string[] {
  const waiting = valueAt(container, ['state', 'waiting', 'reason']);
  if (typeof waiting === 'string' && waiting !== 'PodInitializing' && waiting !== 'ContainerCreating') return [waiting];
  const ended = valueAt(container, ['state', 'terminated', 'reason']);
  return typeof ended === 'string' && ended !== 'Completed' ? [ended] : [];
}

function saysOf(
  reasons: readonly string[],
  reason: string,
  phase: string,
  conditions: readonly Readonly<Record<string, unknown>>[],
): Pick<StatusPod, 'says'> {
  const scheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.['reason'];
  const found = [...reasons, reason, typeof scheduled === 'string' ? scheduled : ''].find((text) => text !== '');
  return { says: found ?? (phase === 'Running' ? 'not ready' : phase || 'no status') };
}
