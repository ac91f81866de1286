import { allComponents } from '../../../components/all.js';
import { compareVersions } from '../../../../shared/lib/version.js';
import { findRelease, releasesOfImage, type Release } from '../../../releases/catalog.js';
import { within, type Config, type Violation, type Instance, type Origin, type Rule } from '../../../model/config.js';
import { imageOrigin } from '../../../model/image-origin.js';
import { formatPath } from '../../../model/issues.js';
import { kubernetesOf, statedVersions, type PlatformVersion, type StatedVersion } from './stated-versions.js';
import { usedImages } from './used-images.js';

/** A minimum version, its subject and its cause. */
interface Need extends PlatformVersion {
  readonly subject: string;
  readonly help: string;
  readonly cause: { readonly origin: Origin; readonly message: string };
}

/**
 * A release has a minimum version of Kubernetes, from its chart, and of OpenShift, from its bundle. It applies if the
 * release is chosen or a policy names one of its images. A component has the minimum version of Kubernetes that accepts
 * its objects.
 */
export const minimumVersion: Rule = {
  code: 'WEFT0261',
  severity: 'error',
  title: 'a release or a component needs a newer Kubernetes or OpenShift',
  *check(config) {
    const stated = statedVersions(config.cluster);
    if (stated.length === 0) return;
    const releases = releaseNeeds(config);
    const components = [...componentNeeds(config)];
    for (const one of stated) {
      const unmet = releases.filter((need) => isUnmet(need, one));
      yield* unmet.map((need) => violationOf(need, one));
      // A cluster that meets the release's minimum version also meets the lower ones of its components.
      const others = components.filter((need) => isUnmet(need, one) && unmet.every((more) => isNewer(need, more)));
      yield* others.map((need) => violationOf(need, one));
    }
  },
};

function isNewer(a: PlatformVersion, b: PlatformVersion): boolean {
  return compareVersions(kubernetesOf(a), kubernetesOf(b)) > 0;
}

const isUnmet = isNewer;

function violationOf(need: Need, stated: StatedVersion): Violation {
  return {
    origin: stated.origin,
    message:
      `${need.subject} needs ${need.platform} ${need.version}${inKubernetes(need, stated)}, ` +
      `and ${stated.owner} ${nameOf(need, stated)}${inKubernetes(stated, need)}`,
    help: need.help,
    related: need.cause,
  };
}

/** The Kubernetes version of an OpenShift, if it is compared with one of Kubernetes. */
function inKubernetes(version: PlatformVersion, other: PlatformVersion): string {
  const isTranslated = version.platform === 'OpenShift' && other.platform === 'Kubernetes';
  return isTranslated ? `, which has Kubernetes ${kubernetesOf(version)}` : '';
}

function nameOf(need: PlatformVersion, { platform, version }: PlatformVersion): string {
  return platform === need.platform || platform === 'Kubernetes' ? version : `${platform} ${version}`;
}

/** The minimum versions of the chosen release and of those whose images the policies name. */
function releaseNeeds(config: Config): readonly Need[] {
  const { cluster } = config;
  const chosen = findRelease(cluster.spec.release ?? '');
  const needs = new Map<string, Need>();
  const add = ({ release, minimum }: Release, cause: Need['cause']) => {
    const version: PlatformVersion = cluster.isOpenshift
      ? { platform: 'OpenShift', version: minimum.openshift.version }
      : { platform: 'Kubernetes', version: minimum.kubernetes.version };
    const help = 'choose an older release, or upgrade the cluster first';
    if (!needs.has(release)) needs.set(release, { subject: `release ${release}`, ...version, help, cause });
  };
  if (chosen) add(chosen, { origin: within(cluster.origin, 'spec', 'release'), message: 'the release is chosen here' });
  for (const { key, image, ...used } of usedImages(config)) {
    const releases = releasesOfImage(key.release, image.version);
    // An image in several releases needs only the minimum version of the oldest one.
    const isOfChosen = releases.some(({ release }) => release === chosen?.release);
    const oldest = isOfChosen ? undefined : releases.at(-1);
    const origin = imageOrigin(used.origin, 'version');
    if (oldest) add(oldest, { origin, message: 'an image of the release is chosen here' });
  }
  return [...needs.values()];
}

function* componentNeeds({ instances }: Config): Iterable<Need> {
  for (const { id, minimumKubernetes } of allComponents) {
    const [first]: readonly Instance[] = instances.get(id) ?? [];
    if (first === undefined) continue;
    yield {
      subject: `\`${formatPath(first.origin.path)}\``,
      platform: 'Kubernetes',
      version: minimumKubernetes.version,
      help: 'remove the section, or upgrade the cluster first',
      cause: { origin: first.origin, message: minimumKubernetes.reason },
    };
  }
}
