import { findRelease } from '../../../compile/releases/catalog.js';
import { listAt, textAt } from '../../../shared/lib/json.js';
import type { ListedObject } from '../../../shared/kubernetes/listed-object.js';
import { looksLikeOperator } from './find.js';

/** The version in the tag of the operator's image: `26.4.1`. */
export function operatorVersion({ spec }: ListedObject): string | undefined {
  const images = listAt(spec, 'template', 'spec', 'containers').map((one) => textAt(one, 'image') ?? '');
  return images.flatMap((image) => /:(?:network-operator-)?v?(\d+\.\d+\.\d+)/.exec(image)?.[1] ?? [])[0];
}

/** The version of the one operator that is among Deployments of its namespace; `undefined` where there is none, or it is not known. */
export function versionAmong(deployments: readonly ListedObject[], namespace: string): string | undefined {
  const isHere = (one: ListedObject) => one.metadata?.namespace === namespace && looksLikeOperator(one);
  const [operator, ...others] = deployments.filter(isHere);
  return operator === undefined || others.length > 0 ? undefined : operatorVersion(operator);
}

/** The `release` of the Cluster that renders as the operator of a version does; `undefined` where the catalog has none. */
export function releaseOfVersion(version: string): string | undefined {
  const [, minor = ''] = /^(\d+\.\d+)/.exec(version) ?? [];
  return [`v${version}`, `v${minor}`].find((one) => findRelease(one) !== undefined);
}
