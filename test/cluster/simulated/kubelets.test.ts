import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LiveObject } from '../bed/api-client.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { until } from '../bed/guarded-process.js';
import { startKubelets, type PodBehaviour, type SimulatedKubelets } from './kubelets.js';
import { seed, startTestBed } from '../bed/test-bed.js';

/** Pods have the name of their behaviour. */
const BEHAVIOURS: Readonly<Record<string, PodBehaviour>> = {
  ready: { kind: 'ready' },
  'never-ready': { kind: 'never-ready' },
  'crash-loop': { kind: 'crash-loop', restarts: 11 },
  'image-pull-error': { kind: 'image-pull-error' },
  completes: { kind: 'completes', exitCode: 0 },
  fails: { kind: 'completes', exitCode: 10 },
};

let controlPlane: ControlPlane;
let kubelets: SimulatedKubelets;
beforeAll(async () => {
  controlPlane = await startTestBed('kubelets');
  kubelets = startKubelets(controlPlane.client, {
    seed: seed(),
    behaviour: ({ metadata }) => BEHAVIOURS[metadata.name] ?? { kind: 'ready' },
    ignoresTermination: ({ metadata }) => metadata.name === 'stubborn',
    graceSpeed: 10,
  });
  await kubelets.addNode({ name: 'node-0', allocatable: { 'rdma/rdma_a': '1' } });
});
afterAll(async () => {
  kubelets.stop();
  await controlPlane.stop();
});

function pod(name: string, resources: object = {}): LiveObject {
  const securityContext = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 20,
      containers: [{ name: 'main', image: 'example.com/main:1', resources, securityContext }],
    },
  };
}

/** `phase, ready or not, state of the container, restarts`. */
function describeStatus({ status }: LiveObject): string {
  const { phase, conditions, containerStatuses } = status as {
    readonly phase: string;
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state: Readonly<Record<string, { readonly reason?: string; readonly exitCode?: number }>>;
    }[];
  };
  const [container] = containerStatuses ?? [];
  const [state, detail] = Object.entries(container?.state ?? {})[0] ?? ['no state', {}];
  const isReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
  return [phase, isReady ? 'ready' : 'not ready', state, detail.reason ?? '', container?.restartCount ?? 0].join(' ');
}

describe('simulated kubelets', () => {
  it.each([
    ['ready', 'Running ready running  0'],
    ['never-ready', 'Running not ready running  0'],
    ['crash-loop', 'Running not ready waiting CrashLoopBackOff 11'],
    ['image-pull-error', 'Pending not ready waiting ImagePullBackOff 0'],
    ['completes', 'Succeeded not ready terminated Completed 0'],
    ['fails', 'Failed not ready terminated Error 0'],
  ])('a pod that is to be %s has the status of one', async (name, expected) => {
    const { client } = controlPlane;
    await client.create(pod(name));
    const live = await until('it has a status', async () => {
      const found = await client.get(pod(name));
      return found && 'containerStatuses' in (found['status'] as object) ? found : undefined;
    });
    expect(describeStatus(live)).toBe(expected);
  });

  it('a pod that ignores SIGTERM stays for its grace period, another one goes before', async () => {
    const { client } = controlPlane;
    await client.create(pod('stubborn'));
    await client.create(pod('obedient'));
    const bound = async (name: string) => (await client.get(pod(name)))?.['spec'] as { nodeName?: string } | undefined;
    for (const name of ['stubborn', 'obedient']) {
      await until(`${name} is bound`, async () => (await bound(name))?.nodeName);
    }
    const phases = new Map<string, string>();
    const stop = client.watch('/api/v1/namespaces/default/pods', (_type, { metadata, status }) => {
      phases.set(metadata.name, (status as { readonly phase: string }).phase);
    });
    for (const name of ['stubborn', 'obedient']) await client.delete(pod(name), {});
    await until('the obedient one is gone', async () => ((await client.get(pod('obedient'))) ? undefined : true));
    expect(await client.get(pod('stubborn'))).toBeDefined();
    await until('the stubborn one is gone', async () => ((await client.get(pod('stubborn'))) ? undefined : true));
    // The last phase of each.
    await until('the watch has seen it', () => phases.get('stubborn') === 'Failed' || undefined);
    expect(phases.get('obedient')).toBe('Succeeded');
    stop();
  });

  it('allocatable resources are for as many pods as there are', async () => {
    const { client } = controlPlane;
    const resources = { limits: { 'rdma/rdma_a': '1' } };
    await client.create(pod('first', resources));
    const node = async (name: string) => ((await client.get(pod(name)))?.['spec'] as { nodeName?: string }).nodeName;
    await until('the first is bound', () => node('first'));
    await client.create(pod('second', resources));
    await until('the second is refused', async () => {
      const live = await client.get(pod('second'));
      const { conditions = [] } = (live?.['status'] ?? {}) as { conditions?: readonly { reason?: string }[] };
      return conditions.some(({ reason }) => reason === 'Unschedulable') ? true : undefined;
    });
    expect(await node('second')).toBeUndefined();
  });

  it('a node that stops reporting is tainted by the node controller, and comes back', async () => {
    const { client } = controlPlane;
    const taints = async () => {
      const live = await client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-0' } });
      const { taints: list = [] } = live?.['spec'] as { taints?: readonly { key: string }[] };
      return list.map(({ key }) => key);
    };
    await kubelets.stopReporting('node-0');
    await until('it is tainted', async () =>
      (await taints()).includes('node.kubernetes.io/unreachable') ? true : undefined,
    );
    await kubelets.reportAgain('node-0');
    await until('it is not tainted', async () => ((await taints()).length === 0 ? true : undefined));
    expect(await taints()).toEqual([]);
  });
});
