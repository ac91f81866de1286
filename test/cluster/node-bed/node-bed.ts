import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveObject } from '../bed/api-client.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { until } from '../bed/guarded-process.js';
import { binaries, startTestBed } from '../bed/test-bed.js';
import { programsWithLibraries, writeImage, type ImageOptions } from './images.js';
import { startNode, type NodeOptions, type RealNode } from './node.js';

/** A control plane with real nodes. */
export interface NodeBed {
  readonly controlPlane: ControlPlane;
  readonly nodes: readonly RealNode[];
  stop(): Promise<void>;
}

export interface NodeBedOptions extends Pick<NodeOptions, 'labels' | 'devices'> {
  /** Default: 1. */
  readonly count?: number;
  readonly images?: Readonly<Record<string, ImageOptions>>;
}

const SANDBOX = 'test.invalid/sandbox:1';
/** An image with busybox only. */
export const SHELL_IMAGE = 'test.invalid/shell:1';

/** Starts a control plane and its nodes, and waits until they are ready. */
export async function startNodeBed(name: string, options: NodeBedOptions): Promise<NodeBed> {
  const names = Array.from({ length: options.count ?? 1 }, (_, index) => `real-${index + 1}`);
  const controlPlane = await startTestBed(name, { nodes: names });
  const folder = join(controlPlane.folder, 'images');
  mkdirSync(folder);
  const given = { shell: { names: [SHELL_IMAGE, SANDBOX] }, ...options.images };
  const nodes: RealNode[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await controlPlane.stop();
  };
  try {
    const images = Object.entries(given).map(([title, image]) => writeImage(folder, title, image));
    const starts = names.map((node, at) =>
      startNode(controlPlane, {
        ...{ name: node, index: at + 1, folder: join(controlPlane.folder, node), images, sandboxImage: SANDBOX },
        ...(options.labels && { labels: options.labels }),
        ...(options.devices !== undefined && { devices: options.devices }),
      }).then((started) => void (nodes[at] = started)),
    );
    for (const { status, reason } of (await Promise.allSettled(starts)) as { status: string; reason?: unknown }[]) {
      if (status === 'rejected') throw reason;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { controlPlane, nodes, stop };
}

/** Programs of a module by their path in an image, with the libraries that they load. */
export function modulePrograms(
  module: 'cniplugins' | 'standins',
  to: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return programsWithLibraries(
    Object.fromEntries(Object.entries(to).map(([path, program]) => [path, join(binaries()[module], program)])),
  );
}

/** A pod that sleeps, on one node. */
export function shellPod(name: string, node: string, script = 'sleep 3600'): LiveObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 1,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          ...{ name: 'shell', image: SHELL_IMAGE, command: ['sh', '-c', script] },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
    },
  };
}

/** Waits for a condition of a pod, which it returns. */
export function untilPod(
  { client }: ControlPlane,
  pod: { readonly namespace: string; readonly name: string },
  what: string,
  condition: (status: PodStatus, pod: LiveObject) => boolean,
  timeoutSeconds = 60,
): Promise<LiveObject> {
  const ask = async () => {
    const live = await client.get({ apiVersion: 'v1', kind: 'Pod', metadata: pod });
    return live !== undefined && condition(live['status'] as PodStatus, live) ? live : undefined;
  };
  return until(`pod ${pod.name}: ${what}`, ask, timeoutSeconds);
}

/** Waits until the kubelet of a node offers devices of each resource: a pod that it admits before fails. */
export function untilOffered({ client }: ControlPlane, node: string, resources: readonly string[]): Promise<true> {
  return until(`${node} offers ${resources.join(', ')}`, async () => {
    const live = await client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name: node } });
    const { allocatable } = live?.['status'] as { readonly allocatable: Readonly<Record<string, string>> };
    return resources.every((name) => Number(allocatable[name]) > 0) || undefined;
  });
}

export interface PodStatus {
  readonly phase?: string;
  readonly podIP?: string;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly lastTransitionTime: string;
  }[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

export interface ContainerStatus {
  readonly name: string;
  readonly containerID?: string;
  readonly image: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: {
    readonly running?: { readonly startedAt: string };
    readonly waiting?: { readonly reason: string };
    readonly terminated?: {
      readonly exitCode: number;
      readonly reason: string;
      readonly startedAt: string;
      readonly finishedAt: string;
    };
  };
}
