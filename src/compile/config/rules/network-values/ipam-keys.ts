import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { withoutNulls } from '../../../../shared/lib/json.js';
import type { Rule } from '../../../model/config.js';
import { noSuchKey } from '../../../model/issues.js';
import { schemaOfIpam } from '../../../networks/cni/ipam.js';
import { keysAt } from '../../validate/schema-walk.js';
import { ipamsOf, type Ipam } from '../networks/attachment-ipams.js';
import { attachmentsOf } from '../networks/attachments.js';

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
  title: 'an IPAM plugin does not know a key',
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
  ],
  *check(config) {
    for (const network of attachmentsOf(config)) {
      for (const { data, placeOf } of ipamsOf(network)) {
        for (const { parent, key, known } of unknownKeys(data)) {
          yield {
            ...placeOf(String(parent[0] ?? key)),
            message: `network \`${network.name}\`: ${noSuchKey(['ipam', ...parent], key)}, so \`${String(data['type'])}\` ignores it`,
            help: helpFor(key, known),
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
    return issue.keys.filter((key) => !isRead(key, known)).map((key) => ({ parent, key, known }));
  });
}

/** Programs of Go read keys in any case. */
const isRead = (key: string, known: readonly string[]): boolean =>
  [...known, OVERWRITTEN].some((one) => one.toLowerCase() === key.toLowerCase());

function helpFor(key: string, known: readonly string[]): string {
  const same = known.find((one) => SAME_AS[one]?.some((other) => other.toLowerCase() === key.toLowerCase()));
  if (same !== undefined) return `did you mean \`${same}\`?`;
  return didYouMean(key, known) ?? `remove it; known keys: ${known.map((one) => `\`${one}\``).join(', ')}`;
}
