import type { Config, Rule, Violation } from '../../../model/config.js';
import { ipamsOf, type Ipam } from '../networks/attachment-ipams.js';
import { attachmentsOf } from '../networks/attachments.js';

/** What an IPAM says wrongly, at a key of it. */
interface Problem {
  readonly key: string;
  readonly message: string;
  readonly help: string;
}

function* findings(
  config: Config,
  problemOf: (ipam: Ipam, network: string) => Problem | undefined,
): Iterable<Violation> {
  for (const network of attachmentsOf(config)) {
    for (const ipam of ipamsOf(network)) {
      const problem = problemOf(ipam, `network \`${network.name}\``);
      if (problem) yield { ...ipam.placeOf(problem.key), message: problem.message, help: problem.help };
    }
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The keys by which a plugin knows its addresses; one of them is needed. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  whereabouts: ['range', 'ipRanges'],
  'host-local': ['ranges', 'subnet'],
};

/** Without a range the plugins fail for each pod. A configuration file on the node may have one for whereabouts. */
export const ipamHasRange: Rule = {
  code: 'WEFT0320',
  severity: 'error',
  title: 'an IPAM has no range of addresses',
  checks: [
    {
      program: 'whereabouts',
      source: 'whereabouts v0.9.4, pkg/config/config.go and pkg/types/types.go `ErrNoIPRanges`',
      what: '`range` or `ipRanges`, unless `configuration_path` names a file',
    },
    {
      program: 'host-local',
      source: 'containernetworking/plugins v1.9.1, plugins/ipam/host-local/backend/allocator/config.go',
      what: '`ranges` or `subnet`',
    },
  ],
  check: (config) =>
    findings(config, ({ data }, network) => {
      const { type } = data;
      const keys = typeof type === 'string' && Object.hasOwn(RANGES, type) ? RANGES[type] : undefined;
      const hasFile = type === 'whereabouts' && !isEmpty(data['configuration_path']);
      if (!keys?.every((key) => isEmpty(data[key])) || hasFile) return undefined;
      const message = `${network} gets no addresses: its IPAM \`${String(type)}\` has neither ${keys.map((key) => `\`${key}\``).join(' nor ')}`;
      return {
        key: 'type',
        message,
        help: `add one, such as \`${keys.includes('range') ? 'range' : 'subnet'}: 192.168.2.0/24\``,
      };
    }),
};

/** It keeps its addresses in files of the node, and knows nothing of other nodes. */
export const ipamOfOneNode: Rule = {
  code: 'WEFT0318',
  severity: 'warning',
  title: 'host-local gives the same addresses on every node',
  checks: [
    {
      program: 'host-local',
      source: 'containernetworking/plugins v1.9.1, plugins/ipam/host-local/backend/disk',
      what: 'a network of several nodes',
    },
  ],
  check: (config) =>
    findings(config, ({ data }, network) =>
      data['type'] === 'host-local'
        ? {
            key: 'type',
            message: `${network} takes addresses from \`host-local\`, which gives the same ones to pods of every node`,
            help: 'use `nv-ipam` with an IPPool, or `whereabouts`; if pods of two nodes never meet, write `# weft-ignore WEFT0318: reason` above it',
          }
        : undefined,
    ),
};

/** DHCP needs a hardware address of six bytes and broadcasts; IPoIB has twenty. */
export const ipamOnIpoib: Rule = {
  code: 'WEFT0319',
  severity: 'warning',
  title: 'the IPoIB CNI plugin does not support dhcp',
  checks: [{ program: 'IPoIB CNI plugin', source: 'ipoib-cni v1.2.2, README.md', what: 'not `dhcp`' }],
  check: (config) =>
    findings(config, ({ data, plugin }, network) =>
      plugin === 'ipoib' && data['type'] === 'dhcp'
        ? {
            key: 'type',
            message: `${network} takes addresses from \`dhcp\`, which the IPoIB CNI plugin does not support`,
            help: 'use `nv-ipam`, `whereabouts` or `static`',
          }
        : undefined,
    ),
};
