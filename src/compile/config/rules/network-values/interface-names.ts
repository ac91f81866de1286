import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { SRIOV_GROUP } from '../../../../shared/contract/labels.js';
import { listAt, textAt } from '../../../../shared/lib/json.js';
import { within, type Config, type Origin, type Rule, type Violation } from '../../../model/config.js';
import { interfaceNameProblem } from '../../../model/interface-name.js';
import { isUnfilled } from '../../../model/unfilled.js';
import { networkKinds } from '../../../networks/all.js';
import { objectsOf } from '../../../model/input-objects.js';
import { pluginsOf } from '../networks/attachment-plugins.js';
import { attachmentsOf } from '../networks/attachments.js';

/** A value of a network or a policy, and its place. */
interface Placed {
  readonly of: string;
  readonly key: string;
  readonly value: unknown;
  /** Whether it is of a NIC of NVIDIA; a NetworkAttachmentDefinition may be of any interface. */
  readonly isOfNic: boolean;
  /** The CNI plugin that attaches to the interface, where it is known. */
  readonly plugin?: string | undefined;
  readonly place: Pick<Violation, 'origin' | 'at'>;
}

function inNetworks(config: Config, key: string): readonly Placed[] {
  return attachmentsOf(config).flatMap((network) =>
    pluginsOf(network)
      .filter(({ plugin }) => Object.hasOwn(plugin, key))
      .map(({ plugin, placeOf }) => ({
        of: `network \`${network.name}\``,
        key,
        value: plugin[key],
        isOfNic: network.ipamField === 'ipam',
        plugin: networkKinds.find(({ kind }) => kind === network.kind)?.plugin ?? textAt(plugin, 'type'),
        place: placeOf([key]),
      })),
  );
}

function inNodePolicies(config: Config, path: readonly string[]): readonly Placed[] {
  return objectsOf(config, SRIOV_GROUP, 'SriovNetworkNodePolicy').flatMap(({ name, spec, origin }) => {
    const of = `SriovNetworkNodePolicy \`${name}\``;
    const key = path.at(-1) ?? '';
    const at = (...more: readonly PathStep[]): { readonly origin: Origin } => ({
      origin: within(origin, 'spec', ...path, ...more),
    });
    const [first = ''] = path;
    if (path.length === 1)
      return spec[first] === undefined ? [] : [{ of, key, value: spec[first], isOfNic: true, place: at() }];
    return listAt(spec, ...path).map((value, index) => ({ of, key, value, isOfNic: true, place: at(index) }));
  });
}

/** The programs look interfaces up by name, and find none: pods do not start, or a policy selects no NIC. */
export const interfaceNames: Rule = {
  code: 'WEFT0322',
  severity: 'warning',
  title: 'no interface has such a name',
  checks: [
    {
      program: 'CNI plugins',
      source: 'containernetworking/plugins v1.9.1, plugins/main/macvlan/macvlan.go; Linux, net/core/dev.c',
      what: '`master`: the name of one interface, of Ethernet for macvlan and of InfiniBand for IPoIB',
    },
    {
      program: 'SR-IOV Network Operator',
      source: 'sriov-network-operator v1.6.0, api/v1/helper.go `Selected`',
      what: '`pfNames`: names of interfaces',
    },
  ],
  *check(config) {
    const values = [...inNetworks(config, 'master'), ...inNodePolicies(config, ['nicSelector', 'pfNames'])];
    for (const { of, key, value, plugin, place } of values) {
      if (typeof value !== 'string' || value === '' || isUnfilled(value)) continue;
      const name = key === 'pfNames' ? (value.split('#')[0] ?? '') : value;
      const problem = interfaceNameProblem(name) ?? linkProblem(name, plugin);
      if (problem)
        yield { ...place, message: `\`${key}\` of ${of} is \`${value}\`, which ${problem.fact}`, help: problem.help };
    }
  },
};

/**
 * Why the link of an interface does not fit, by the names that systemd gives (man systemd.net-naming-scheme: `en` and `ib`). The kernel makes
 * a macvlan on Ethernet only (Linux, drivers/net/macvlan.c `macvlan_port_create`), and an IPoIB child on InfiniBand only
 * (drivers/infiniband/ulp/ipoib/ipoib_netlink.c `ipoib_new_child_link`).
 */
function linkProblem(name: string, plugin: string | undefined): ReturnType<typeof interfaceNameProblem> {
  const help = 'if the interface was renamed, write `# weft-ignore WEFT0322: reason` above it';
  if (plugin === 'macvlan' && /^ib(?:\d|[ops]\d|P)/.test(name))
    return { fact: 'is named as InfiniBand, and macvlan needs Ethernet', help: `use an IPoIBNetwork; ${help}` };
  if (plugin === 'ipoib' && /^(?:eth\d|en[ops]\d|enP)/.test(name))
    return { fact: 'is named as Ethernet, and IPoIB needs InfiniBand', help: `name one such as \`ib0\`; ${help}` };
  return undefined;
}

/** The least of IPv4, the most of a NIC of NVIDIA, and the most of any interface (Linux, include/uapi/linux/if_ether.h and mlx5). */
const MTU_MIN = 68;
const MTU_MAX_OF_NIC = 9978;
const MTU_MAX = 65535;

/** CNI plugins and the SR-IOV operator hand the number to the kernel, which refuses it for the interface. */
export const mtuOfNic: Rule = {
  code: 'WEFT0323',
  severity: 'warning',
  title: 'no NIC takes the MTU',
  checks: [
    {
      program: 'CNI plugins',
      source:
        'containernetworking/plugins v1.9.1, plugins/main/macvlan/macvlan.go; Linux, drivers/net/ethernet/mellanox/mlx5',
      what: '`mtu`: what the interface takes',
    },
  ],
  *check(config) {
    for (const { of, value, place, isOfNic } of [...inNetworks(config, 'mtu'), ...inNodePolicies(config, ['mtu'])]) {
      const max = isOfNic ? MTU_MAX_OF_NIC : MTU_MAX;
      if (typeof value !== 'number' || value === 0 || (value >= MTU_MIN && value <= max)) continue;
      yield {
        ...place,
        message: `\`mtu\` of ${of} is ${value}, and ${isOfNic ? 'a NIC' : 'an interface'} takes ${MTU_MIN} to ${max}`,
        help: 'write at most the MTU of the interface of the host: 9000 where jumbo frames are on',
      };
    }
  },
};
