import type { AnyNetworkKind } from '../../../networks/network.js';
import { networkKinds } from '../../../networks/all.js';
import { isObject } from '../../../../shared/lib/json.js';
import { within, type Config, type Rule } from '../../../model/config.js';
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
    const kinds: readonly AnyNetworkKind[] = networkKinds;
    for (const network of config.networks) {
      const used = kinds.find(({ kind }) => kind === network.kind)?.usesResources?.(network.spec) ?? [];
      for (const resource of used) {
        if (offered.has(resource) || ofSriov.has(bareName(resource))) continue;
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
