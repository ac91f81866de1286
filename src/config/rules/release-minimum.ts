import { findRelease, type Release } from '../../releases/catalog.js';
import { within, type Cluster, type Finding, type Rule } from '../config.js';

/** True where `version` is older than `minimum`, by major and minor number. */
function isOlder(version: string, minimum: string): boolean {
  const numbers = (text: string) => /(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [];
  const [[major = 0, minor = 0], [minimumMajor = 0, minimumMinor = 0]] = [numbers(version), numbers(minimum)];
  return major < minimumMajor || (major === minimumMajor && minor < minimumMinor);
}

/** A release says which versions it is made for: its chart that of Kubernetes, its bundle that of OpenShift. */
export const releaseMinimum: Rule = {
  code: 'WEFT0261',
  *check({ cluster }) {
    const release = findRelease(cluster.spec.release ?? '');
    if (!release) return;
    yield* cluster.isOpenshift ? oldOpenshift(cluster, release) : oldKubernetes(cluster, release);
  },
};

function* oldKubernetes(cluster: Cluster, { release, minimum }: Release): Iterable<Finding> {
  const version = cluster.spec.kubernetesVersion;
  if (version === undefined || !isOlder(version, minimum.kubernetes.version)) return;
  yield {
    origin: within(cluster.origin, 'spec', 'kubernetesVersion'),
    message: `release ${release} needs Kubernetes ${minimum.kubernetes.version}, and this is ${version}`,
    help: 'choose an older release, or upgrade the cluster first',
    related: { origin: within(cluster.origin, 'spec', 'release'), message: 'the release is chosen here' },
  };
}

/** The version of OpenShift is that of its node image, where the image is named after it. */
function* oldOpenshift({ pools, origin }: Cluster, { release, minimum }: Release): Iterable<Finding> {
  const seen = new Set<string>();
  for (const pool of pools) {
    const isNamed = pool.osName === 'rhcos' && /^4\.\d+$/.test(pool.osVersion);
    if (!isNamed || seen.has(pool.name) || !isOlder(pool.osVersion, minimum.openshift.version)) continue;
    seen.add(pool.name);
    yield {
      origin: within(pool.origin, 'osVersion'),
      message: `release ${release} needs OpenShift ${minimum.openshift.version}, and pool \`${pool.name}\` has ${pool.osVersion}`,
      help: 'choose an older release, or upgrade the cluster first',
      related: { origin: within(origin, 'spec', 'release'), message: 'the release is chosen here' },
    };
  }
}
