import type { ApiClient } from '../../../kube-client/api-client.js';
import { servedGroups } from '../../../kube-client/discovery.js';
import { listAll } from '../../../kube-client/list.js';
import { collectionPath, groupPath } from '../../../kube-client/paths.js';
import { watchCollection, type WatchTimes } from '../../../kube-client/watch.js';
import type { GpuClaim } from '../ports.js';
import type { ApiResourceClaim } from './objects.js';
import type { Collection } from './resources.js';

const GROUP = 'resource.k8s.io';
/** The newest first. Kubernetes serves the beta versions only where they are turned on. */
const VERSIONS = ['v1', 'v1beta2', 'v1beta1'];

/** The DRA driver that allocates GPUs: gpu-operator a22dbf671, `controllers/nodelabeling_controller.go`. */
const GPU_DRA_DRIVER = 'gpu.nvidia.com';

const NO_PODS: readonly string[] = Object.freeze([]);
const NOT_SERVED = { kind: 'expired', message: 'ResourceClaims are not served' } as const;

/** ResourceClaims in the version that the cluster serves; empty where it serves none, until it does. */
export function gpuClaims(client: ApiClient, times: WatchTimes): Collection<GpuClaim> {
  let path: string | undefined;
  return {
    async list() {
      const groups = await servedGroups(client);
      if (groups.kind !== 'ok') return groups;
      const served = groups.value.find(({ name }) => name === GROUP)?.versions ?? [];
      const version = VERSIONS.find((one) => served.includes(one));
      path = version && collectionPath({ group: groupPath(`${GROUP}/${version}`), plural: 'resourceclaims' });
      if (path === undefined) return { kind: 'ok', value: { items: [], resourceVersion: '' } };
      return listAll(client, path, reduceGpuClaim);
    },
    watch(_namespace, resourceVersion, onEvent) {
      if (path === undefined) {
        const listAgain = (): void => onEvent({ kind: 'end', answer: NOT_SERVED });
        const timer = setTimeout(listAgain, times.lifetimeSeconds() * 1000);
        return () => clearTimeout(timer);
      }
      return watchCollection(
        client,
        path,
        resourceVersion,
        reduceGpuClaim,
        (event) => {
          // An upgrade of the API server may end the version, which looks like a broken connection.
          const isBroken = event.kind === 'end' && (event.answer.kind === 'retry' || event.answer.kind === 'gone');
          onEvent(isBroken ? { kind: 'end', answer: { ...NOT_SERVED, message: event.answer.message } } : event);
        },
        times,
      );
    },
  };
}

/**
 * A claim counts as `PodHasNVIDIAGPUClaim` of the GPU operator counts it: devices for administrators do not, because such pods do not keep
 * the driver busy. The claim names its pods, so that no pod has to be matched with its claims by their names.
 */
export function reduceGpuClaim({ metadata, status }: ApiResourceClaim): GpuClaim {
  const devices = status?.allocation?.devices?.results ?? [];
  const hasGpu = devices.some(({ driver, adminAccess }) => driver === GPU_DRA_DRIVER && adminAccess !== true);
  const pods = hasGpu ? (status?.reservedFor?.filter(({ resource }) => resource === 'pods') ?? []) : [];
  return {
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    podUids: pods.length === 0 ? NO_PODS : pods.flatMap(({ uid }) => uid ?? []),
  };
}
