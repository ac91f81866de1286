import { within, type Config, type Violation, type Instance, type NodePool, type Rule } from '../../../model/config.js';
import { listedNames } from '../../../../shared/lib/listed.js';
import { publishedDrivers } from '../../../releases/published-drivers.js';
import { driverImage, precompiledTag } from '../pool.js';
import type { OfedDriverSpec } from '../schema.js';
import { usesToolkit } from '../toolkit.js';
import { driverInstances } from './instances.js';

/** With `forcePrecompiled` no driver is compiled on a node. */
export const precompiledKnown: Rule = {
  code: 'WEFT0214',
  severity: 'error',
  title: 'a precompiled driver is required and not known',
  *check(config) {
    for (const { spec, origin, pools } of driverInstances(config)) {
      if (!spec.forcePrecompiled) continue;
      const tags = config.cluster.spec.driver.precompiledTags;
      for (const pool of pools.filter((candidate) => driverImage(spec, candidate, tags).kind === 'compiled')) {
        const tag = precompiledTag(spec.version, pool);
        yield {
          origin: within(origin, 'forcePrecompiled'),
          message: `\`forcePrecompiled\` is set, and no precompiled driver is known for node pool \`${pool.name}\``,
          help: tag === undefined ? NEEDS_KERNEL : helpForTag(tag, spec, pool),
        };
      }
    }
  },
};

const NEEDS_KERNEL = 'give the pool its `kernel`: a precompiled driver is for one kernel';
const SHOWN = 8;

/** What NVIDIA published for the system of the pool, where that is known. */
function helpForTag(tag: string, { version }: OfedDriverSpec, { osName, osVersion, arch }: NodePool): string {
  const add = `add \`${tag}\` to \`spec.driver.precompiledTags\` of the Cluster`;
  const published = publishedDrivers(version);
  if (published.length === 0) return `if the registry has it, ${add}`;
  const system = `${osName}${osVersion}-${arch}`;
  const kernels = published.filter((one) => one.system === system && one.kernel !== undefined);
  if (kernels.some(({ kernel }) => tag === `${version}-${kernel ?? ''}-${system}`)) return add;
  const known = kernels.map(({ kernel = '' }) => kernel);
  const which = known.length === 0 ? 'no kernel' : `the kernels ${listedNames(known, SHOWN)}`;
  return `NVIDIA published precompiled drivers of this version for ${which} of ${system}; if the registry has your own, ${add}`;
}

/** A pool that compiles in the OpenShift Driver Toolkit needs the toolkit of exactly its RHCOS version. */
export const toolkitKnown: Rule = {
  code: 'WEFT0215',
  severity: 'error',
  title: 'the OpenShift Driver Toolkit image of a pool is not known',
  *check(config) {
    for (const instance of driverInstances(config)) {
      for (const pool of instance.pools) yield* toolkitProblems(config, instance, pool);
    }
  },
};

function* toolkitProblems(
  { cluster }: Config,
  { spec }: Instance<OfedDriverSpec>,
  pool: NodePool,
): Iterable<Violation> {
  if (!usesToolkit(spec, pool, cluster)) return;
  if (pool.rhcosVersion === '') {
    yield {
      origin: within(pool.origin, 'name'),
      message: `node pool \`${pool.name}\` needs its \`rhcosVersion\`: its driver is compiled in the OpenShift Driver Toolkit`,
      help: 'add the value of the node label `feature.node.kubernetes.io/system-os_release.OSTREE_VERSION`',
    };
  } else if (!cluster.spec.openshift.driverToolkitImages[pool.rhcosVersion]) {
    yield {
      origin: within(pool.origin, 'rhcosVersion'),
      message: `\`spec.openshift.driverToolkitImages\` has no image for \`rhcosVersion\` ${pool.rhcosVersion}`,
      help: 'add it: `oc get imagestream -n openshift driver-toolkit -o yaml` lists the images by version',
    };
  }
  if (pool.kernel === undefined) {
    yield {
      origin: within(pool.origin, 'name'),
      message: `node pool \`${pool.name}\` needs its \`kernel\`: its driver is compiled in the OpenShift Driver Toolkit`,
      help: 'add `kernel`, or `kernels` during a kernel update',
    };
  }
}
