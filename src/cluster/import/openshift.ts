import { isObject, listAt, textAt, valueAt } from '../../shared/lib/json.js';
import type { NodePoolInput } from '../../compile/model/input.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { isIn } from './source.js';

/** Where OpenShift has its ImageStreams. */
export const TOOLKIT_NAMESPACE = 'openshift';

/** The section `openshift` of the Cluster, without `useDriverToolkit`; `undefined` if the cluster is none of OpenShift. */
export function openshiftFacts(
  objects: readonly NamedObject[],
  pools: readonly Pick<NodePoolInput, 'rhcosVersion'>[],
): Readonly<Record<string, unknown>> | undefined {
  const proxy = objects.find(
    ({ apiVersion, kind, metadata }) =>
      apiVersion.startsWith('config.openshift.io/') && kind === 'Proxy' && metadata.name === 'cluster',
  );
  const stream = objects.find(
    ({ kind, metadata: { namespace, name } }) =>
      kind === 'ImageStream' && isIn(namespace, TOOLKIT_NAMESPACE) && name === 'driver-toolkit',
  );
  const versions = new Set(pools.flatMap(({ rhcosVersion }) => rhcosVersion ?? []));
  if (proxy === undefined && stream === undefined && versions.size === 0) return undefined;
  return {
    ...(stream && { driverToolkitImages: toolkitImages(stream, versions) }),
    ...(proxy && { proxy: proxySettings(proxy) }),
  };
}

/** The image of each RHCOS version that a pool has (network-operator v26.7, pkg/state/state_ofed.go: tags of the spec). */
function toolkitImages(stream: NamedObject, versions: ReadonlySet<string>): Readonly<Record<string, string>> {
  const tags = listAt(stream, 'spec', 'tags').filter(isObject);
  return Object.fromEntries(
    tags.flatMap(({ name, from }): [string, string][] => {
      const image = isObject(from) ? from['name'] : undefined;
      return typeof name === 'string' && typeof image === 'string' && versions.has(name) ? [[name, image]] : [];
    }),
  );
}

function proxySettings(proxy: NamedObject): Readonly<Record<string, unknown>> {
  const text = (field: string) => {
    const value = valueAt(proxy, ['status', field]) ?? valueAt(proxy, ['spec', field]);
    return typeof value === 'string' ? value : '';
  };
  return {
    httpProxy: text('httpProxy'),
    httpsProxy: text('httpsProxy'),
    noProxy: text('noProxy'),
    trustedCA: textAt(proxy, 'spec', 'trustedCA', 'name') !== undefined,
  };
}
