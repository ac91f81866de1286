import type { GpuClaim } from '../ports.js';
import type { ApiResourceClaim } from '../../../shared/kubernetes/shapes/cluster.js';

/** The DRA driver that allocates GPUs: gpu-operator a22dbf671, `controllers/nodelabeling_controller.go`. */
const GPU_DRA_DRIVER = 'gpu.nvidia.com';

const NO_PODS: readonly string[] = Object.freeze([]);

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
