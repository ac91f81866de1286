import type { AnyNetworkKind } from '../../../networks/network.js';
import { networkKinds } from '../../../networks/all.js';
import { isObject } from '../../../../shared/lib/json.js';
import { within, type Config, type Rule } from '../../../model/config.js';
import { bareName, offeredNames } from './offered.js';

/** Resources of SriovNetworkNodePolicies have no prefix of their own: it is a setting of the SR-IOV operator. */
function isMadeBySriovOperator(resource: string, { passthrough }: Config): boolean {
  return passthrough.some(({ object }) => {
    const { kind, spec } = object;
    if (kind !== 'SriovNetworkNodePolicy' || !isObject(spec)) return false;
    const name = spec['resourceName'];
    return typeof name === 'string' && resource.endsWith(`/${name}`);
  });
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
    const kinds: readonly AnyNetworkKind[] = networkKinds;
    for (const network of config.networks) {
      const used = kinds.find(({ kind }) => kind === network.kind)?.usesResources?.(network.spec) ?? [];
      for (const resource of used) {
        if (names.includes(resource) || isMadeBySriovOperator(resource, config)) continue;
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
