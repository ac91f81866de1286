import { allComponents } from '../../components/registry.js';
import type { AnyNetworkKind } from '../../networks/network.js';
import { networkKinds } from '../../networks/registry.js';
import { isObject } from '../../lib/json.js';
import { within, type Config, type Rule } from '../config.js';

/** Full names of what the device plugins of the input offer. */
function offered({ instances }: Config): readonly string[] {
  return allComponents.flatMap(({ id, offers }) =>
    (instances.get(id) ?? []).flatMap(({ spec }) => (offers?.(spec as never) ?? []).map(({ name }) => name)),
  );
}

/** Resources of SriovNetworkNodePolicies have no prefix of their own: it is a setting of the SR-IOV operator. */
function isMadeBySriovOperator(resource: string, { passthrough }: Config): boolean {
  return passthrough.some(({ object }) => {
    const { kind, spec } = object;
    return kind === 'SriovNetworkNodePolicy' && isObject(spec) && resource.endsWith(`/${String(spec['resourceName'])}`);
  });
}

const nameOf = (resource: string) => resource.slice(resource.indexOf('/') + 1);

/** Multus looks for the devices of a network among those that the pod asked for, by the name of the resource. */
export const networkResourceOffered: Rule = {
  code: 'WEFT0264',
  *check(config) {
    const names = offered(config);
    const kinds: readonly AnyNetworkKind[] = networkKinds;
    for (const network of config.networks) {
      const used = kinds.find(({ kind }) => kind === network.kind)?.usesResources?.(network.spec as never) ?? [];
      for (const resource of used) {
        if (names.includes(resource) || isMadeBySriovOperator(resource, config)) continue;
        const near = names.find((name) => nameOf(name) === nameOf(resource));
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
