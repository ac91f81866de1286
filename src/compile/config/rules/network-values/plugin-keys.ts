import type * as z from 'zod';
import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { keyAsRead } from '../../../../shared/lib/go-keys.js';
import { isObject, textAt, withoutNulls } from '../../../../shared/lib/json.js';
import { networkKinds } from '../../../networks/all.js';
import { pluginList, schemaOfPlugin } from '../../../networks/cni/plugin-types.js';
import { isPluginList, pluginsOf, wholePluginsOf, type AttachmentPlugin } from '../networks/attachment-plugins.js';
import { ipamsOf } from '../networks/attachment-ipams.js';
import type { Attachment } from '../networks/attachments.js';
import type { Problem } from './plugin-values.js';

/** Keys of one plugin, by what they are called in another. */
const SAME_AS: Readonly<Record<string, readonly string[]>> = {
  master: ['device', 'interface', 'parent', 'link', 'if0', 'nic'],
  device: ['master', 'interface'],
  vlanId: ['vlan', 'vlanID', 'id'],
  vlan: ['vlanId', 'vlan_id'],
  pkey: ['pKey', 'partitionKey'],
  link_state: ['linkState'],
  spoofchk: ['spoofChk', 'spoof_check'],
  min_tx_rate: ['minTxRate'],
  max_tx_rate: ['maxTxRate'],
  sysctl: ['sysctls'],
};

/** Keys that people write notes into. */
const NOTE = /^(?:_|\/\/|#|\$|comment|description)/i;

/** Keys of the plugins of a network that no program reads. */
export function ignoredKeys(network: Attachment): readonly Problem[] {
  const [main] = network.ipamField === 'config' ? pluginsOf(network) : [];
  const list = main !== undefined && isPluginList(main) && main.plugin['plugins'] !== undefined ? [main] : [];
  return [
    ...list.flatMap((one) => unknownKeys(one, pluginList, 'a list of plugins')),
    ...wholePluginsOf(network).flatMap((one) => {
      const type = textAt(one.plugin, 'type');
      return type === undefined ? [] : unknownKeys(one, schemaOfPlugin(type), `the CNI plugin \`${type}\``);
    }),
    ...ipamsWithoutType(network),
  ];
}

function unknownKeys({ plugin, placeOf }: AttachmentPlugin, schema: z.ZodType, reader: string): readonly Problem[] {
  const known = Object.keys((schema as z.ZodObject).shape);
  const issues = schema.safeParse(withoutNulls(plugin)).error?.issues ?? [];
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  );
  return unknown
    .filter((key) => !NOTE.test(key) && !isRead(key, known))
    .map((key) => ({
      message: `${reader} has no key \`${key}\`, so it is ignored`,
      help: helpForKey(key, known, SAME_AS),
      place: placeOf([key]),
    }));
}

/** Networks of Weft refuse it. The plugins then ask no IPAM plugin: pods get an interface without an address. */
function ipamsWithoutType(network: Attachment): readonly Problem[] {
  if (networkKinds.some(({ kind }) => kind === network.kind)) return [];
  return ipamsOf(network).flatMap(({ data, placeOf }) => {
    const [first] = Object.keys(data).filter((key) => !NOTE.test(key));
    if (first === undefined || (isObject(data) && textAt(data, 'type') !== undefined)) return [];
    const message = '`ipam` has no `type`, so its keys are ignored and pods get no address';
    return [{ message, help: 'add the IPAM plugin, such as `"type": "nv-ipam"`', place: placeOf(first) }];
  });
}

/** Programs of Go read keys in any case. */
export const isRead = (key: string, known: readonly string[]): boolean => keyAsRead(key, known) !== undefined;

/** @param sameAs by known key, what others call it */
export function helpForKey(
  key: string,
  known: readonly string[],
  sameAs: Readonly<Record<string, readonly string[]>>,
): string {
  const same = known.find((one) => sameAs[one]?.some((other) => other.toLowerCase() === key.toLowerCase()));
  if (same !== undefined) return `did you mean \`${same}\`?`;
  return didYouMean(key, known) ?? `remove it; known keys: ${known.map((one) => `\`${one}\``).join(', ')}`;
}
