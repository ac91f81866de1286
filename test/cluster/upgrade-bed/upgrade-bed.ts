import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyOrder, type GitOpsTool } from '../bed/apply-order.js';
import { applyAll, label } from '../bed/apply-set.js';
import {
  auditCompanion,
  auditPosition,
  mostAtOnce,
  reactionsMs,
  type PodPlace,
  type Span,
  type Verdict,
} from './audit.js';
import { podSpecOf, startContainer, type CompanionProcess, type ContainerOptions } from './companion-container.js';
import { isRun, KERNEL, synthesized, VERSIONS, writeInput, type BedInput } from './companion-input.js';
import { isCompanion, startCompanionKubelet, type CompanionKubelet } from './companion-kubelet.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { driverFiles, isDriver, isReady, NAMESPACE, nodeOf, nodesOf, untilRolledOut } from '../simulated/fleet.js';
import { startKubelets, type KubeletOptions, type SimulatedKubelets } from '../simulated/kubelets.js';
import { registerNode, untilSchedulable } from '../simulated/nodes.js';
import { seed, startTestBed } from '../bed/test-bed.js';
import { createWorkloads, isWorkload, type WorkloadOptions } from '../simulated/workloads.js';

export interface CompanionOptions extends ContainerOptions {
  /** Which of the two objects starts it. Default: `job`. */
  readonly mode?: 'job' | 'cronjob';
  readonly podName?: string;
  /** UID of the Job that gets an Event for the end of the run. Default: no Job gets one. */
  readonly jobUid?: string;
}

/** A fleet whose drivers must be upgraded, and the companion that does it, as `weft synth` renders both. */
export interface UpgradeBed {
  readonly controlPlane: ControlPlane;
  readonly kubelets: SimulatedKubelets;
  /** Runs the pods of the companion's Job. Absent: the Job is not applied, and a test starts the program itself. */
  readonly companionKubelet?: CompanionKubelet;
  /** All objects that were rendered last, applied or not. */
  readonly rendered: () => readonly LiveObject[];
  /** The driver version that was rendered last. */
  readonly version: () => string;
  /** The folder of the documents that were rendered last. */
  readonly documents: () => string;
  /** Renders without applying: the next driver version, unless the change names one. */
  readonly render: (change?: Partial<BedInput>) => Promise<readonly LiveObject[]>;
  /** Applies in a tool's order, and prunes objects that are no longer rendered, except drivers. */
  readonly apply: (objects: readonly LiveObject[], tool?: GitOpsTool) => Promise<void>;
  /** Renders and applies the next driver version as GitOps would. Earlier requests are no longer checked. */
  readonly nextVersion: (change?: Partial<BedInput>) => Promise<void>;
  /** Starts the container of the Job, or of the CronJob, that was rendered last. */
  readonly start: (options?: CompanionOptions) => Promise<CompanionProcess>;
  /** `compacted`: etcd also removes all versions but the current ones, so that no watch can continue. */
  readonly restartApiServer: (awaySeconds: number, compacted?: 'compacted') => Promise<void>;
  /** What the companion did since the last version was applied. */
  readonly audit: () => Verdict;
  /** The time from each new status of a driver pod to the companion's patch of the node, in milliseconds. */
  readonly reactionsMs: () => readonly number[];
  /** Only requests from now on are checked. */
  readonly auditFromNow: () => void;
  /** How many nodes were cordoned at the same time at most since the last version was applied, by any actor. */
  readonly mostCordoned: () => number;
  /** Nodes that do not have the version that was rendered last, ready and uncordoned: one line each. */
  readonly behind: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

export interface UpgradeBedOptions
  extends
    WorkloadOptions,
    Pick<
      BedInput,
      | 'upgradePolicy'
      | 'upgrade'
      | 'companion'
      | 'gitops'
      | 'isPinned'
      | 'gpuDriver'
      | 'sriovNetworkOperator'
      | 'maintenanceOperator'
      | 'objects'
    > {
  /** What has to be there before the first version is applied. */
  readonly prepare?: (client: ControlPlane['client']) => Promise<void>;
  /** Extended resources of each node. */
  readonly allocatable?: Readonly<Record<string, string>>;
  /** Labels of a node by its number. */
  readonly labelsOf?: (index: number) => Readonly<Record<string, string>>;
  /** How long a new driver takes to load. Default: a random time up to 200. */
  readonly loadMs?: () => number;
  readonly behaviour?: KubeletOptions['behaviour'];
  readonly initialized?: KubeletOptions['initialized'];
  /** Whether Jobs are applied and run. Default: false. */
  readonly runsJobs?: boolean;
}

/** A server that has just started refuses requests until its authorizer has read the roles. */
const SERVER_START_MS = 10_000;

/** Starts a control plane with the first driver version on every node, workloads, and the companion's rights. */
export async function startUpgradeBed(name: string, options: UpgradeBedOptions): Promise<UpgradeBed> {
  const controlPlane = await startTestBed(name, { hasControllers: false });
  const { client, folder } = controlPlane;
  const { runsJobs = false } = options;
  await registerNodes(client, options);
  await createWorkloads(client, options);
  await controlPlane.startControllers();
  const kubelets = startFleet(controlPlane, options);
  await untilSchedulable(client);
  await options.prepare?.(client);
  const places = watchPlaces(client);
  const cordons = watchCordons(client);
  const startsOfServer: Span[] = [];
  const state = { versionIndex: -1, from: 0, fromMs: 0, rendered: [] as readonly LiveObject[], documents: '' };
  const applied = new Map<string, LiveObject>();

  async function render(change: Partial<BedInput> = {}): Promise<readonly LiveObject[]> {
    if (change.version === undefined) state.versionIndex++;
    const { upgradePolicy, upgrade, companion, gitops, isPinned, gpuDriver } = options;
    const { sriovNetworkOperator, maintenanceOperator, objects } = options;
    const version = VERSIONS[state.versionIndex % VERSIONS.length] ?? '';
    const input = {
      version,
      upgradePolicy,
      ...(upgrade && { upgrade }),
      ...(companion && { companion }),
      ...(gitops && { gitops }),
      ...(isPinned !== undefined && { isPinned }),
      ...(gpuDriver && { gpuDriver }),
      ...(sriovNetworkOperator && { sriovNetworkOperator }),
      ...(maintenanceOperator && { maintenanceOperator }),
      ...(objects && { objects }),
      ...change,
    };
    state.documents = writeInput(folder, input);
    state.rendered = await synthesized(folder, state.documents);
    return state.rendered;
  }
  async function apply(objects: readonly LiveObject[], tool: GitOpsTool = 'Argo CD'): Promise<void> {
    const wanted = applyOrder(tool, objects).filter((object) => runsJobs || !isRun(object));
    const { problems } = await applyAll(client, wanted);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const kept = new Set(wanted.map(label));
    for (const [key, object] of applied) {
      if (!kept.has(key) && object.kind !== 'DaemonSet') await client.delete(object);
      if (!kept.has(key)) applied.delete(key);
    }
    for (const object of wanted) applied.set(label(object), object);
  }
  const auditFromNow = () => {
    state.from = auditPosition(controlPlane);
    state.fromMs = Date.now();
  };
  await apply((await render()).filter((object) => !isRun(object)));
  await untilRolledOut(client, isReady, { timeoutSeconds: 60 + options.nodes });
  const companionKubelet = runsJobs ? startCompanionKubelet(controlPlane) : undefined;
  let started = 0;
  return {
    ...{ controlPlane, kubelets, render, apply, auditFromNow, ...(companionKubelet && { companionKubelet }) },
    rendered: () => state.rendered,
    version: () => VERSIONS[state.versionIndex % VERSIONS.length] ?? '',
    documents: () => state.documents,
    async nextVersion(change) {
      const objects = await render(change);
      auditFromNow();
      await apply(objects);
    },
    start({ mode = 'job', podName, jobUid, ...rest } = {}) {
      const run = state.rendered.find(({ kind }) => kind === (mode === 'job' ? 'Job' : 'CronJob'));
      if (run === undefined) throw new Error(`no ${mode} is rendered`);
      const name = podName ?? `${run.metadata.name}-${++started}`;
      const pod = { name, jobName: run.metadata.name, ...(jobUid !== undefined && { jobUid }) };
      return startContainer(controlPlane, podSpecOf(run), pod, rest);
    },
    async restartApiServer(awaySeconds, compacted) {
      const fromMs = Date.now();
      await controlPlane.restartApiServer(awaySeconds, compacted);
      startsOfServer.push({ node: '', fromMs, toMs: Date.now() + SERVER_START_MS });
    },
    audit: () =>
      auditCompanion(controlPlane, {
        ...{ from: state.from, placeOf: places.of, startsOfServer },
        cordonSpans: cordons.spans(),
        isMaintained: options.upgrade?.drainer === 'MaintenanceOperator',
      }),
    reactionsMs: () => reactionsMs(controlPlane, { from: state.from, placeOf: places.of }),
    mostCordoned: () => mostAtOnce(cordons.spans().filter(({ toMs }) => toMs > state.fromMs)),
    behind: () => nodesBehind(client, driverImagesOf(state.rendered)),
    async stop() {
      await companionKubelet?.stop();
      places.stop();
      cordons.stop();
      kubelets.stop();
      await controlPlane.stop();
    },
  };
}

function startFleet(
  { client }: ControlPlane,
  { loadMs, behaviour, initialized }: UpgradeBedOptions,
): SimulatedKubelets {
  return startKubelets(client, {
    seed: seed(),
    filesOf: driverFiles,
    ignoresTermination: isDriver,
    // Ten minutes of grace take a second and a half.
    graceSpeed: 400,
    leavesAlone: isCompanion,
    ...(behaviour && { behaviour }),
    ...(initialized && { initialized }),
    ...(loadMs !== undefined && { startMsOf: (pod) => (isDriver(pod) ? loadMs() : undefined) }),
  });
}

/** The fleet, and a node of the control plane, where only the companion may run. */
async function registerNodes(
  client: ControlPlane['client'],
  { nodes, labelsOf, runsJobs, allocatable }: UpgradeBedOptions,
): Promise<void> {
  const pool = { os: 'ubuntu', osVersion: '24.04', kernel: KERNEL };
  const fleet = nodesOf({ ...pool, name: 'node', count: nodes }).map((node, index) => ({
    ...node,
    labels: { ...node.labels, ...labelsOf?.(index) },
    ...(allocatable && { allocatable }),
  }));
  const taints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];
  const own = { ...pool, name: 'control-plane', count: 1, hasNic: false, taints };
  const all = [...fleet, ...(runsJobs === true ? nodesOf(own) : [])];
  await Promise.all(all.map((node) => registerNode(client, node)));
}

/** The node of each pod, also of deleted ones. */
function watchPlaces(client: ControlPlane['client']): {
  readonly of: (pod: string) => PodPlace | undefined;
  readonly stop: () => void;
} {
  const places = new Map<string, PodPlace>();
  const stop = client.watch('/api/v1/pods', (_type, pod) => {
    const node = nodeOf(pod);
    const { namespace = '', name, ownerReferences = [] } = pod.metadata;
    if (node === '') return;
    const isMovable = isWorkload(pod) && ownerReferences.some(({ kind }) => kind === 'ReplicaSet');
    places.set(`${namespace}/${name}`, { node, isDriver: isDriver(pod), isMovable });
  });
  return { of: (pod) => places.get(pod), stop };
}

/** When each node was cordoned, by any actor. */
function watchCordons(client: ControlPlane['client']): {
  readonly spans: () => readonly Span[];
  readonly stop: () => void;
} {
  const ended: Span[] = [];
  const since = new Map<string, number>();
  const stop = client.watch('/api/v1/nodes', (_type, { metadata: { name: node }, spec }) => {
    const { unschedulable = false } = (spec ?? {}) as { readonly unschedulable?: boolean };
    const fromMs = since.get(node);
    if (unschedulable) since.set(node, fromMs ?? Date.now());
    else if (fromMs !== undefined) {
      ended.push({ node, fromMs, toMs: Date.now() });
      since.delete(node);
    }
  });
  const open = () => [...since].map(([node, fromMs]): Span => ({ node, fromMs, toMs: Infinity }));
  return { spans: () => [...ended, ...open()], stop };
}

/** Images of the rendered driver DaemonSets. */
function driverImagesOf(objects: readonly LiveObject[]): ReadonlySet<string> {
  return new Set(
    objects.flatMap((object) => {
      if (object.kind !== 'DaemonSet' || !isDriver(object)) return [];
      return [imageOf((object['spec'] as { readonly template: { readonly spec: PodSpec } }).template.spec)];
    }),
  );
}

interface PodSpec {
  readonly containers: readonly { readonly image: string }[];
}

function imageOf({ containers }: PodSpec): string {
  return containers[0]?.image ?? '';
}

async function nodesBehind(client: ControlPlane['client'], wanted: ReadonlySet<string>): Promise<readonly string[]> {
  const pods = (await client.list(`/api/v1/namespaces/${NAMESPACE}/pods`)).filter(isDriver);
  const nodes = await client.list('/api/v1/nodes');
  return nodes.flatMap(({ metadata, spec }) => {
    if (!metadata.name.startsWith('node-')) return [];
    const images = pods
      .filter((pod) => nodeOf(pod) === metadata.name && isReady(pod))
      .map((pod) => imageOf(pod['spec'] as PodSpec));
    const { unschedulable } = spec as { readonly unschedulable?: boolean };
    const state = metadata.labels?.[driverKeys('ofed').state] ?? '';
    const isDone = images.some((image) => wanted.has(image)) && unschedulable !== true && state === 'upgrade-done';
    return isDone
      ? []
      : [`${metadata.name}: ${state}, ${unschedulable === true ? 'cordoned' : 'open'}, ${images.join()}`];
  });
}
