import { listAt, textAt, withoutNulls } from '../../../../shared/lib/json.js';
import { parseAddress, parseNetwork, isInNetwork } from '../../../../shared/lib/ip-address.js';
import { ipamRanges } from '../../../networks/cni/ipam-ranges.js';
import { schemaOfIpam } from '../../../networks/cni/ipam.js';
import { networkKinds } from '../../../networks/all.js';
import type { Rule } from '../../../model/config.js';
import { describeIssue } from '../../../model/issues.js';
import { unfilledIn } from '../../../model/unfilled.js';
import { ipamsOf, type Ipam } from '../networks/attachment-ipams.js';
import { attachmentsOf, type Attachment } from '../networks/attachments.js';
import {
  capabilityProblems,
  chainProblems,
  configProblems,
  functionProblems,
  pluginProblems,
  valueHelp,
  type Problem,
} from './plugin-values.js';

/** Each of these programs fails for every pod of the network. Multus then starts no pod that names it. */
export const networkValuesRead: Rule = {
  code: 'WEFT0346',
  severity: 'error',
  title: 'a CNI configuration has a value that its program refuses',
  checks: [
    {
      program: 'Multus',
      source: 'multus-cni v4.2.3, pkg/types/conf.go `LoadDelegateNetConf`; libcni, conf.go',
      what: '`config` has a `type`, or `plugins` with one each; `ipam` is an object, `capabilities` has `true` or `false`; a known `cniVersion`',
    },
    {
      program: 'CNI plugins',
      source:
        'containernetworking/plugins v1.9.1, plugins/main and plugins/meta; libcni v1.3.0, conf.go `InjectConf`; sriov-cni v2.9.0, ib-sriov-cni v1.3.0, rdma-cni v1.6.0, ipoib-cni v1.2.2, ovs-cni 19262a0, bond-cni 258926a',
      what: 'the types of the values of each plugin, modes, ids of VLANs, what must be there, a device, a plugin before those that need one',
    },
    {
      program: 'SR-IOV Network Operator',
      source:
        'sriov-cni v2.9.0, pkg/config/config.go `LoadConf`; sriov-network-operator v1.6.0, bindata/manifests/cni-config/sriov',
      what: '`vlan` beside `vlanQoS` and `vlanProto: 802.1ad`; `minTxRate` up to `maxTxRate`',
    },
    {
      program: 'host-local',
      source: 'containernetworking/plugins v1.9.1, plugins/ipam/host-local/backend/allocator/range.go `Canonicalize`',
      what: 'subnets begin with their first address, have at least four, and have `rangeStart`, `rangeEnd` and `gateway`',
    },
    {
      program: 'whereabouts',
      source: 'whereabouts v0.9.4, pkg/iphelpers/iphelpers.go `HasUsableIPs`',
      what: 'a range has at least four addresses',
    },
    {
      program: 'NV-IPAM',
      source: 'nvidia-k8s-ipam v0.4.0, pkg/cni/types/types.go `getPools`',
      what: '`poolName` beside `forcePoolName: true`',
    },
  ],
  *check(config) {
    for (const network of attachmentsOf(config)) {
      const ipams = ipamsOf(network);
      const problems = [
        ...configProblems(network),
        ...pluginProblems(network),
        ...capabilityProblems(network),
        ...chainProblems(network),
        ...functionProblems(network),
        ...ipams.flatMap((ipam) => [...schemaProblems(network, ipam), ...valueProblems(ipam)]),
      ];
      for (const { message, help, place } of problems) {
        yield { ...place, message: `network \`${network.name}\`: ${message}`, help };
      }
    }
  },
};

/** The schemas of networks of Weft have checked theirs. */
function schemaProblems({ kind }: Attachment, { data, placeOf }: Ipam): readonly Problem[] {
  if (networkKinds.some((one) => one.kind === kind)) return [];
  const issues = schemaOfIpam(data['type'])?.safeParse(withoutNulls(data)).error?.issues ?? [];
  return issues.flatMap((issue): readonly Problem[] => {
    if (issue.code === 'unrecognized_keys' || unfilledIn(JSON.stringify(data))) return [];
    const { message, path } = describeIssue(issue, data);
    const place = placeOf(String(path[0] ?? 'type'));
    return [{ message: `in \`ipam\`, ${message}`, help: valueHelp(issue, data), place }];
  });
}

function valueProblems(ipam: Ipam): readonly Problem[] {
  const { data, placeOf } = ipam;
  switch (data['type']) {
    case 'host-local':
      return hostLocalProblems(ipam);
    case 'whereabouts':
      return [
        ...smallRange(textAt(data, 'range'), placeOf('range')),
        ...listAt(data, 'ipRanges').flatMap((one) => smallRange(textAt(one, 'range'), placeOf('ipRanges'))),
        ...ipamRanges(data)
          .filter(({ addresses }) => addresses.length === 0)
          .map(({ key, text }) => ({
            message: `whereabouts has no address for pods in \`${text}\`: all are excluded`,
            help: 'exclude less, or widen the range',
            place: placeOf(key),
          })),
      ];
    case 'nv-ipam': {
      if (data['forcePoolName'] !== true || (textAt(data, 'poolName') ?? '') !== '') return [];
      const message = '`forcePoolName: true` needs a `poolName`';
      return [{ message, help: 'add `poolName`, or remove `forcePoolName`', place: placeOf('forcePoolName') }];
    }
    default:
      return [];
  }
}

/** Of a network with one or two addresses whereabouts hands out none. */
function smallRange(range: string | undefined, place: Problem['place']): readonly Problem[] {
  const network = range === undefined ? undefined : parseNetwork(range.slice(range.indexOf('-') + 1));
  if (!network || network.bits - network.prefix > 1) return [];
  const message = `whereabouts has no address for pods in \`${range ?? ''}\``;
  return [{ message, help: `give it at least four addresses: a prefix of at most /${network.bits - 2}`, place }];
}

/** A subnet alone, or lists of ranges. */
function hostLocalProblems({ data, placeOf }: Ipam): readonly Problem[] {
  const ofRanges = listAt(data, 'ranges').flatMap((set): readonly unknown[] => (Array.isArray(set) ? set : []));
  const alone = data['subnet'] === undefined ? [] : [{ key: 'subnet', range: data as unknown }];
  const ranges = [...alone, ...ofRanges.map((range) => ({ key: 'ranges', range }))];
  return ranges.flatMap(({ key, range }) => {
    const found = subnetProblem(range);
    return found ? [{ ...found, place: placeOf(key) }] : [];
  });
}

function subnetProblem(range: unknown): Omit<Problem, 'place'> | undefined {
  const subnet = textAt(range, 'subnet') ?? '';
  const network = parseNetwork(subnet);
  const help = 'write a network such as `192.168.2.0/24`';
  if (!network) return { message: `\`${subnet}\` is no network`, help };
  if (network.hasHostBits)
    return { message: `\`${subnet}\` does not begin with the first address of its network`, help };
  if (network.bits - network.prefix < 2) return { message: `\`${subnet}\` has no address for pods`, help };
  for (const key of ['rangeStart', 'rangeEnd', 'gateway']) {
    const text = textAt(range, key) ?? '';
    const address = text === '' ? undefined : parseAddress(text);
    if (text === '' || (address && isInNetwork(network, address))) continue;
    return {
      message: `\`${key}\` \`${text}\` is no address of \`${subnet}\``,
      help: 'correct the address or the subnet',
    };
  }
  return undefined;
}
