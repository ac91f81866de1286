import type { AnyNetworkKind } from '../../../networks/network.js';
import { networkKinds } from '../../../networks/all.js';
import { isObject } from '../../../../shared/lib/json.js';
import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { within, type Config, type Rule, type Violation } from '../../../model/config.js';
import { attachmentsOf } from './attachments.js';
import { bareName, offeredNames } from './offered.js';

/** Resources of SriovNetworkNodePolicies have no prefix of their own: it is a setting of the SR-IOV operator. */
function namesOfSriovOperator({ passthrough }: Config): ReadonlySet<unknown> {
  const policies = passthrough.filter(({ object }) => object.kind === 'SriovNetworkNodePolicy');
  return new Set(policies.flatMap(({ object: { spec } }) => (isObject(spec) ? [spec['resourceName']] : [])));
}

/** Multus selects the devices of a network from those that the pod requested, by the name of the resource. */
export const networkResourceOffered: Rule = {
  code: 'WEFT0264',
  severity: 'warning',
  title: 'no device plugin offers the resource of a network',
  needsAllDocuments: true,
  *check(config) {
    const names = offeredNames(config);
    if (names === undefined) return;
    const offered = new Set(names);
    const ofSriov = namesOfSriovOperator(config);
    const isOffered = (resource: string) => offered.has(resource) || ofSriov.has(bareName(resource));
    yield* ofDefinitions(config, names, isOffered);
    const kinds: readonly AnyNetworkKind[] = networkKinds;
    for (const network of config.networks) {
      const used = kinds.find(({ kind }) => kind === network.kind)?.usesResources?.(network.spec) ?? [];
      for (const resource of used) {
        if (isOffered(resource)) continue;
        const near = names.find((name) => bareName(name) === bareName(resource));
        const prefix = resource.slice(0, resource.indexOf('/'));
        yield {
          origin: within(network.origin, 'spec', 'resourceName'),
          message: `network \`${network.name}\` uses resource \`${resource}\`, which no device plugin of the input offers`,
          help:
            near === undefined
              ? 'add it to the configuration of a device plugin; it may live elsewhere in the cluster'
              : `\`${near}\` is offered: give it \`resourcePrefix: ${prefix}\``,
        };
      }
    }
  },
};

/** The prefixes that the device plugins and the operator of the input may give. */
const OWN_PREFIXES: readonly string[] = ['rdma', 'nvidia.com', 'openshift.io'];
const ANNOTATION = 'k8s.v1.cni.cncf.io/resourceName';

/** The resource in the annotation of a NetworkAttachmentDefinition. Those of other device plugins have other prefixes. */
function* ofDefinitions(
  config: Config,
  names: readonly string[],
  isOffered: (resource: string) => boolean,
): Iterable<Violation> {
  const prefixes = new Set([...OWN_PREFIXES, ...names.map((name) => name.slice(0, name.indexOf('/')))]);
  for (const { kind, name, resourceName, origin } of attachmentsOf(config)) {
    if (kind !== 'NetworkAttachmentDefinition' || resourceName === undefined || isOffered(resourceName)) continue;
    if (!prefixes.has(resourceName.slice(0, resourceName.indexOf('/')))) continue;
    yield {
      origin: within(origin, 'metadata', 'annotations', ANNOTATION),
      message: `network \`${name}\` uses resource \`${resourceName}\`, which no device plugin of the input offers`,
      help:
        didYouMean(resourceName, names) ??
        'add it to the configuration of a device plugin, or a SriovNetworkNodePolicy; it may live elsewhere in the cluster',
    };
  }
}
