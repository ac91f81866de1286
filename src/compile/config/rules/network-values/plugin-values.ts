import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { keyAsRead } from '../../../../shared/lib/go-keys.js';
import { isObject, textAt, valueAt, withoutNulls } from '../../../../shared/lib/json.js';
import { within, type Violation } from '../../../model/config.js';
import { describeIssue } from '../../../model/issues.js';
import { placesIn } from '../../../model/text-place.js';
import { unfilledIn } from '../../../model/unfilled.js';
import { CNI_VERSIONS, pluginList, schemaOfPlugin } from '../../../networks/cni/plugin-types.js';
import type * as z from 'zod';
import {
  dataOf,
  isPluginList,
  pluginsOf,
  wholePluginsOf,
  type AttachmentPlugin,
} from '../networks/attachment-plugins.js';
import type { Attachment } from '../networks/attachments.js';

/** What a program refuses of a network. */
export interface Problem {
  readonly message: string;
  readonly help: string;
  readonly place: Pick<Violation, 'origin' | 'at'>;
}

const hasType = ({ plugin }: AttachmentPlugin): boolean => textAt(plugin, 'type') !== undefined;

/** What Multus needs of the configuration of a NetworkAttachmentDefinition. */
export function configProblems(network: Attachment): readonly Problem[] {
  if (network.ipamField !== 'config') return [];
  const [main, ...inList] = pluginsOf(network);
  if (main === undefined) return [];
  return [...versionProblems(main), ...(isPluginList(main) ? listProblems(main, inList) : [])];
}

function listProblems(main: AttachmentPlugin, inList: readonly AttachmentPlugin[]): readonly Problem[] {
  if (inList.length === 0) {
    const spelt = Object.keys(main.plugin).find((key) => keyAsRead(key, ['plugins']) !== undefined);
    const help =
      spelt === undefined || spelt === 'plugins'
        ? 'add the CNI plugin, such as `"type": "macvlan"`'
        : `write \`plugins\` for \`${spelt}\`: this key is read in lower case only`;
    return [{ message: 'its `config` has neither `type` nor `plugins`', help, place: main.placeOf([]) }];
  }
  const ofList = issuesOf(pluginList, main.plugin).map((issue) => problemOf(issue, main, ''));
  const withoutType = inList
    .filter((one) => !hasType(one))
    .map(({ plugin, placeOf }) => ({
      message: `the plugin \`${JSON.stringify(plugin).slice(0, 40)}\` has no \`type\``,
      help: 'add the CNI plugin, such as `"type": "macvlan"`',
      place: placeOf([]),
    }));
  return [...ofList, ...withoutType];
}

/** Plugins end when they do not know the version (containernetworking/cni v1.3.0, pkg/skel `checkVersionAndCall`). */
function versionProblems({ plugin, placeOf }: AttachmentPlugin): readonly Problem[] {
  const version = textAt(plugin, 'cniVersion');
  if (version === undefined || CNI_VERSIONS.includes(version) || unfilledIn(version)) return [];
  const message = `\`cniVersion\` \`${version}\` is no version of the CNI specification that plugins know`;
  const help =
    didYouMean(version, CNI_VERSIONS) ?? `write one of ${CNI_VERSIONS.map((one) => `\`${one}\``).join(', ')}`;
  return [{ message, help, place: placeOf(['cniVersion']) }];
}

/** Values that the plugins of a network cannot read, or refuse. */
export function pluginProblems(network: Attachment): readonly Problem[] {
  return wholePluginsOf(network).flatMap((one) => {
    const type = textAt(one.plugin, 'type');
    const about = type === undefined ? '' : `\`${type}\`: `;
    return issuesOf(schemaOfPlugin(type), one.plugin).map((issue) => problemOf(issue, one, about));
  });
}

function issuesOf(schema: z.ZodType, data: AttachmentPlugin['plugin']): readonly z.core.$ZodIssue[] {
  const issues = schema.safeParse(withoutNulls(data)).error?.issues ?? [];
  return issues.filter(({ code }) => code !== 'unrecognized_keys' && unfilledIn(JSON.stringify(data)) === undefined);
}

function problemOf(issue: z.core.$ZodIssue, { plugin, placeOf }: AttachmentPlugin, about: string): Problem {
  const { message, path } = describeIssue(issue, plugin);
  return { message: `${about}${message}`, help: valueHelp(issue, plugin), place: placeOf(path) };
}

/** How to write a value that has another type. */
export function valueHelp(issue: z.core.$ZodIssue, data: unknown): string {
  const value = valueAt(data, issue.path as readonly (string | number)[]);
  if (value === undefined) return 'add it';
  if (issue.code === 'invalid_value' && typeof value === 'string')
    return didYouMean(value, issue.values.map(String)) ?? 'write one of them';
  if (issue.code !== 'invalid_type') return 'correct the value';
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  if (issue.expected === 'string' && isScalar) return `write it in double quotes: \`"${value}"\``;
  const unquoted = UNQUOTED[issue.expected];
  return typeof value === 'string' && unquoted?.test(value)
    ? `write it without quotation marks: \`${value}\``
    : 'correct the value';
}

/** Texts that are values of another type without their quotation marks. */
const UNQUOTED: Readonly<Record<string, RegExp>> = { boolean: /^(?:true|false)$/, int: /^-?\d+$/, number: /^-?\d+$/ };

/** They end when no plugin before them made an interface (plugins/meta of containernetworking/plugins v1.9.1; rdma-cni v1.6.0, cmd/rdma/main.go). */
const AFTER_OTHERS: readonly string[] = ['bandwidth', 'firewall', 'portmap', 'rdma', 'sbr', 'tuning', 'vrf'];

/** Keys by which a plugin knows its device, where Multus hands none to it. */
const DEVICE_KEYS: Readonly<Record<string, readonly string[]>> = {
  'host-device': ['device', 'hwaddr', 'kernelpath', 'pciBusID'],
  sriov: ['deviceID'],
  'ib-sriov': ['deviceID'],
};

/** Plugins of a NetworkAttachmentDefinition that lack what others give them. */
export function chainProblems(network: Attachment): readonly Problem[] {
  if (network.ipamField !== 'config') return [];
  const plugins = wholePluginsOf(network);
  const [first] = plugins;
  const type = textAt(first?.plugin, 'type') ?? '';
  const alone =
    first && AFTER_OTHERS.includes(type)
      ? [
          {
            message: `\`${type}\` needs a plugin before it, which makes an interface`,
            help: 'write `plugins`, a list that begins with such as `macvlan`',
            place: first.placeOf(['type']),
          },
        ]
      : [];
  return [...alone, ...plugins.flatMap((one) => deviceProblems(one, network))];
}

function deviceProblems({ plugin, placeOf }: AttachmentPlugin, { resourceName }: Attachment): readonly Problem[] {
  const type = textAt(plugin, 'type') ?? '';
  const keys = Object.hasOwn(DEVICE_KEYS, type) ? DEVICE_KEYS[type] : undefined;
  const isGiven = resourceName !== undefined || valueAt(plugin, ['capabilities', 'deviceID']) === true;
  if (keys === undefined || isGiven || keys.some((key) => textAt(plugin, key) !== undefined)) return [];
  const message = `\`${type}\` gets no device: there is no ${keys.map((key) => `\`${key}\``).join(', ')}, and no annotation \`k8s.v1.cni.cncf.io/resourceName\``;
  return [{ message, help: 'add the annotation, with the resource of a device plugin', place: placeOf(['type']) }];
}

/** What the SR-IOV CNI plugin refuses (sriov-cni v2.9.0, pkg/config/config.go `LoadConf`) and the kernel; the operator always writes `vlan`. */
export function functionProblems({ kind, spec, origin }: Attachment): readonly Problem[] {
  if (kind !== 'SriovNetwork') return [];
  const { vlan = 0, vlanQoS = 0, vlanProto, minTxRate = 0, maxTxRate = 0 } = spec;
  const at = (key: string, message: string, help: string): Problem => ({
    message: `\`${key}\` ${message}`,
    help,
    place: { origin: within(origin, 'spec', key) },
  });
  const problems: Problem[] = [];
  if (vlan === 0 && vlanQoS !== 0) problems.push(at('vlanQoS', 'needs a `vlan`', 'add `vlan`, or remove it'));
  if (vlan === 0 && String(vlanProto).toLowerCase() === '802.1ad')
    problems.push(at('vlanProto', 'needs a `vlan`', 'add `vlan`, or remove it'));
  if (Number(maxTxRate) > 0 && Number(minTxRate) > Number(maxTxRate))
    problems.push(at('minTxRate', 'must be at most `maxTxRate`', 'lower it'));
  return problems;
}

/** The SR-IOV operator puts `capabilities` into the configuration, which Multus reads as a map of booleans. */
export function capabilityProblems({ ipamField, spec, origin }: Attachment): readonly Problem[] {
  const { capabilities } = spec;
  const data = ipamField === 'ipam' ? dataOf(capabilities) : undefined;
  if (!isObject(data)) return [];
  const placeOf = placesIn(capabilities, within(origin, 'spec', 'capabilities'));
  return Object.entries(data).flatMap(([key, value]) => {
    if (value === null || typeof value === 'boolean' || unfilledIn(JSON.stringify(value))) return [];
    const help = `write \`{"${key}": true}\``;
    return [{ message: `\`capabilities.${key}\` must be \`true\` or \`false\``, help, place: placeOf([key]) }];
  });
}
