import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { withoutNulls } from '../../../../shared/lib/json.js';
import type { Rule } from '../../../model/config.js';
import { noSuchKey } from '../../../model/issues.js';
import { schemaOfIpam } from '../../../networks/cni/ipam.js';
import { keysAt } from '../../validate/schema-walk.js';
import { ipamsOf, type Ipam } from '../networks/attachment-ipams.js';
import { attachmentsOf } from '../networks/attachments.js';
import { helpForKey, ignoredKeys, isRead } from './plugin-keys.js';

/** Plugins fill it in themselves. */
const OVERWRITTEN = 'name';

/** Keys of other IPAM plugins, by what they are called in this one. */
const SAME_AS: Readonly<Record<string, readonly string[]>> = {
  range: ['subnet', 'cidr'],
  subnet: ['range', 'cidr'],
  range_start: ['rangeStart', 'startIP'],
  range_end: ['rangeEnd', 'endIP'],
  rangeStart: ['range_start', 'startIP'],
  rangeEnd: ['range_end', 'endIP'],
  exclude: ['excludes', 'exclusions', 'omitRanges'],
  poolName: ['pool', 'name', 'ipPool', 'network_name'],
};

/**
 * Its program ignores a key that it does not know: no range, no gateway or no exclusion is where the author has written one. In documents of
 * Weft only text comes here; unknown keys of objects are errors.
 */
export const ipamKeysKnown: Rule = {
  code: 'WEFT0341',
  severity: 'warning',
  title: 'a CNI plugin ignores a key',
  checks: [
    { program: 'whereabouts', source: 'whereabouts v0.9.4, pkg/types/types.go `IPAMConfig`', what: 'keys of `ipam`' },
    {
      program: 'host-local',
      source: 'containernetworking/plugins v1.9.1, plugins/ipam/host-local/backend/allocator/config.go',
      what: 'keys of `ipam`',
    },
    { program: 'NV-IPAM', source: 'nvidia-k8s-ipam v0.4.0, pkg/cni/types/types.go `IPAMConf`', what: 'keys of `ipam`' },
    {
      program: 'CNI plugins',
      source: 'containernetworking/plugins v1.9.1, plugins/ipam/static/main.go and plugins/ipam/dhcp/main.go',
      what: 'keys of `ipam` of `static` and `dhcp`',
    },
    {
      program: 'CNI plugins',
      source:
        'containernetworking/plugins v1.9.1, plugins/main and plugins/meta; sriov-cni v2.9.0, ib-sriov-cni v1.3.0, rdma-cni v1.6.0, ipoib-cni v1.2.2, ovs-cni 19262a0, bond-cni 258926a',
      what: 'keys of each plugin; keys of `ipam` without a `type`',
    },
    { program: 'Multus', source: 'containernetworking/cni v1.3.0, libcni/conf.go', what: 'keys beside `plugins`' },
  ],
  *check(config) {
    for (const network of attachmentsOf(config)) {
      for (const { message, help, place } of ignoredKeys(network)) {
        yield { ...place, message: `network \`${network.name}\`: ${message}`, help };
      }
      for (const { data, placeOf } of ipamsOf(network)) {
        for (const { parent, key, known } of unknownKeys(data)) {
          yield {
            ...placeOf(String(parent[0] ?? key)),
            message: `network \`${network.name}\`: ${noSuchKey(['ipam', ...parent], key)}, so \`${String(data['type'])}\` ignores it`,
            help: helpForKey(key, known, SAME_AS),
          };
        }
      }
    }
  },
};

interface UnknownKey {
  readonly parent: readonly PathStep[];
  readonly key: string;
  /** The keys that the plugin knows there. */
  readonly known: readonly string[];
}

function unknownKeys(data: Ipam['data']): readonly UnknownKey[] {
  const schema = schemaOfIpam(data['type']);
  if (schema === undefined) return [];
  return (schema.safeParse(withoutNulls(data)).error?.issues ?? []).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [];
    const parent = issue.path as readonly PathStep[];
    const known = keysAt(schema, parent);
    return issue.keys.filter((key) => !isRead(key, [...known, OVERWRITTEN])).map((key) => ({ parent, key, known }));
  });
}
