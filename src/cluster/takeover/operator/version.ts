import { findRelease, versionOfDigest } from '../../../compile/releases/catalog.js';
import { isObject, listAt, textAt } from '../../../shared/lib/json.js';
import type { ListedObject } from '../../../shared/kubernetes/listed-object.js';
import { looksLikeOperator, replicasOf } from './find.js';
import { ownersOf } from './owner.js';

const VERSION = /[:.-]v?(\d+\.\d+\.\d+)(?:[-@]|$)/;
const DIGEST = /@(sha256:[0-9a-f]{64})$/;

/** The version that an image names by its tag or by a digest of the catalog, or a ClusterServiceVersion by its name: `26.4.1`. */
function versionIn(text: string): string | undefined {
  const [, version] = VERSION.exec(text) ?? [];
  const [, digest] = DIGEST.exec(text) ?? [];
  return version ?? (digest === undefined ? undefined : versionOfDigest(digest)?.slice(1));
}

/**
 * The version of an operator: of its image, else of the ClusterServiceVersion that installed it, else of the init container that it gives to
 * drivers, which is of the same release.
 */
export function operatorVersion(deployment: ListedObject): string | undefined {
  const containers = listAt(deployment.spec, 'template', 'spec', 'containers');
  const env = containers.flatMap((one) => listAt(one, 'env').filter(isObject));
  const texts = [
    ...containers.map((one) => textAt(one, 'image')),
    ...ownersOf(deployment).flatMap((owner) => (owner.kind === 'olm' ? [owner.name] : [])),
    ...env.filter(({ name }) => name === 'OFED_INIT_CONTAINER_IMAGE').map((one) => textAt(one, 'value')),
  ];
  return texts.flatMap((text) => versionIn(text ?? '') ?? [])[0];
}

/** The versions of the operators that run among Deployments of a namespace; `undefined` for one whose version is not known. */
export function versionsAmong(
  deployments: readonly ListedObject[],
  namespace: string,
): readonly (string | undefined)[] {
  return deployments
    .filter((one) => one.metadata?.namespace === namespace && looksLikeOperator(one) && replicasOf(one) > 0)
    .map(operatorVersion);
}

/** The `release` of the Cluster that renders as the operator of a version does; `undefined` where the catalog has none. */
export function releaseOfVersion(version: string): string | undefined {
  const [, minor = ''] = /^(\d+\.\d+)/.exec(version) ?? [];
  return [`v${version}`, `v${minor}`].find((one) => findRelease(one) !== undefined);
}
