import type { Rule } from '../../../model/config.js';
import { mirrorOf } from '../../../model/mirrors.js';
import { registryOf } from '../../../../shared/kubernetes/image-reference.js';
import { driverImage } from '../pool.js';
import { usesToolkit } from '../toolkit.js';
import { driverInstances } from './instances.js';

/** What the driver's container installs before it compiles (Mellanox/doca-driver-build 445df1e, entrypoint/internal/driver/driver.go). */
const DOWNLOADS: ReadonlyMap<string, string> = new Map([
  ['ubuntu', '`linux-headers-<kernel>`, `pkg-config` and the `gcc` of the kernel, by apt'],
  ['rhel', '`kernel-headers-<kernel>`, `kernel-devel-<kernel>` and the `gcc` of the kernel, by dnf'],
  ['sles', '`kernel-default-devel` and the `gcc` of the kernel, by zypper'],
]);

const NVIDIAS_REGISTRY = 'nvcr.io';

/** An image from elsewhere than NVIDIA's registry says that the cluster is cut off: there the image alone gives no driver. */
export const driverDownloads: Rule = {
  code: 'WEFT0591',
  severity: 'warning',
  title: 'a driver from a mirror is compiled on the nodes and downloads packages',
  *check(config) {
    const { mirrors, driver } = config.cluster.spec;
    for (const instance of driverInstances(config)) {
      const { spec, origin } = instance;
      // An image without its repository has another error.
      if (spec.repoConfig?.name || !spec.repository) continue;
      const compiled = instance.pools.filter((pool) => {
        const { kind, image } = driverImage(spec, pool, driver.precompiledTags);
        return (
          kind === 'compiled' &&
          !usesToolkit(spec, pool, config.cluster) &&
          (registryOf(image) !== NVIDIAS_REGISTRY || mirrorOf(image, mirrors) !== undefined)
        );
      });
      for (const osName of new Set(compiled.map((pool) => pool.osName))) {
        const downloads = DOWNLOADS.get(osName);
        if (downloads === undefined) continue;
        yield {
          origin,
          at: 'key',
          message: `the driver is compiled on the nodes of ${osName}, and downloads packages then: ${downloads}`,
          label: `its image is not from ${NVIDIAS_REGISTRY}, and has no packages in it`,
          help: 'name a ConfigMap with repositories that the nodes reach in `repoConfig`, and one with their CA in `certConfig`; or list images that are precompiled for the kernels in `spec.driver.precompiledTags` of the Cluster',
        };
      }
    }
  },
};
