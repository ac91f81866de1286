import { counted } from '../../../shared/lib/listed.js';
import type { EndedPod, UpgradePlan } from '../types.js';
import { spanText } from './span.js';

/** What the upgrade costs, in a line; none for one that upgrades no node. */
export function costLine({ cost, nodes }: UpgradePlan): readonly string[] {
  if (nodes === 0) return [];
  const { nodeHours, gpuHours, endedPods, groupPods } = cost;
  const gpus = gpuHours === null ? 'GPU-hours are not known' : `${gpuHours} GPU-hours`;
  const others = groupPods === 0 ? '' : `, and ${counted(groupPods, 'other pod')} of their groups with them`;
  return [`costs ${nodeHours} node-hours, ${gpus}; ${endedText(endedPods)}${others}`];
}

function endedText(pods: readonly EndedPod[]): string {
  if (pods.length === 0) return 'no pod ends before it is done';
  const jobs = new Set(pods.flatMap(({ job }) => job ?? [])).size;
  const known = pods.flatMap(({ ranSeconds }) => ranSeconds ?? []);
  const ran = known.length === 0 ? [] : [`after ${spanText(known.reduce((sum, seconds) => sum + seconds, 0))} in all`];
  const unknown = pods.length - known.length;
  const parts = [
    `${counted(pods.length, 'pod ends', 'pods end')} before ${pods.length === 1 ? 'it is' : 'they are'} done`,
    ...(jobs === 0 ? [] : [`of ${counted(jobs, 'Job')}`]),
    ...ran,
    ...(unknown === 0 ? [] : [`how long ${unknown === 1 ? 'one has' : `${unknown} have`} run is not known`]),
  ];
  return parts.join(', ');
}

const PODS_SHOWN = 20;

/** How each number comes about. */
export function costSentences({ cost: { gpuHours, groupPods }, nodes }: UpgradePlan): readonly string[] {
  if (nodes === 0) return [];
  return [
    'node-hours: how long nodes are cordoned, in the run of median length; one that stays cordoned counts until the end of the plan',
    gpuHours === null
      ? 'GPU-hours: no node of the cluster offers `nvidia.com/gpu` or a MIG device, so the snapshot does not say which GPUs there are'
      : 'GPU-hours: the same with the GPUs that each node offers: `nvidia.com/gpu`, and a MIG device of 3 slices as 3/7',
    'pods that end: those of Jobs and without a controller that run when they are evicted or deleted; how long they have run is since their `startTime`',
    ...(groupPods === 0 ? [] : [GROUPS]),
  ];
}

const GROUPS =
  'other pods of their groups: those that run in the same PodGroup, JobSet or job of Kubeflow, and are not evicted; most of these start again as a whole';

/** The same, with the pods that end. */
export function costLines(plan: UpgradePlan): readonly string[] {
  const endedPods = plan.nodes === 0 ? [] : plan.cost.endedPods;
  const more = endedPods.length - PODS_SHOWN;
  return [
    ...costSentences(plan),
    ...endedPods.slice(0, PODS_SHOWN).map((one) => `- ${podText(one)}`),
    ...(more > 0 ? [`- ${more} more`] : []),
  ];
}

function podText({ pod, job, node, ranSeconds }: EndedPod): string {
  const of = job === null ? 'without a controller' : 'of a Job';
  const ran = ranSeconds === null ? 'the snapshot has no `startTime` of it' : `after ${spanText(ranSeconds)}`;
  return `${pod} ${of}, on ${node}: ${ran}`;
}
