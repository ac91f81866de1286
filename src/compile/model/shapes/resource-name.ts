import * as z from 'zod';
import { isDnsSubdomain } from '../../../shared/kubernetes/names.js';
import { helpForText, type ValueHelp } from './help.js';

/**
 * Name of a resource without its prefix, as Kubernetes and the webhook of the operator check it (network-operator b06827e0,
 * api/v1alpha1/validator/hostdevicenetwork_webhook.go and webhook-schemas/rdma_shared_device_plugin.json).
 */
export const RESOURCE_NAME = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/** The longest name that the kubelet takes from a device plugin. */
const RESOURCE_NAME_MAX = 63;

/**
 * Prefix of a resource's name, as the kubelet takes it from a device plugin (kubernetes v1.34,
 * pkg/apis/core/v1/helper/helpers.go `IsExtendedResourceName`). Empty text means the plugin's own.
 */
export const resourcePrefix = z.string().refine(isResourcePrefix, {
  error: 'must be a DNS name in lower case such as `nvidia.com` or `rdma`, and none of `kubernetes.io`',
});

function isResourcePrefix(text: string): boolean {
  if (text === '') return true;
  // Kubernetes puts `requests.` before it in quotas.
  return isDnsSubdomain(`requests.${text}`) && !text.startsWith('requests.') && !text.endsWith('kubernetes.io');
}

/**
 * The name of a resource that a device plugin offers: the kubelet needs a letter or digit at each end, the plugins allow
 * only some of the characters between.
 *
 * @param between the characters besides letters and digits
 */
export function pluginResourceName(...between: readonly string[]) {
  const name = new RegExp(`^[A-Za-z0-9](?:[A-Za-z0-9${between.join('')}]*[A-Za-z0-9])?$`);
  const listed = ['letters', 'digits', ...between.map((character) => `\`${character}\``)];
  return z.string().refine((text) => text.length <= RESOURCE_NAME_MAX && name.test(text), {
    error: `must be ${listed.slice(0, -1).join(', ')} and ${listed.at(-1) ?? ''}, with a letter or digit at each end, and at most ${RESOURCE_NAME_MAX} characters`,
  });
}

function parts(text: string): readonly [prefix: string, name: string] | undefined {
  const [, prefix, name] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  return prefix === undefined || name === undefined ? undefined : [prefix, name];
}

/** Help for a name with a prefix, which belongs in its own key. */
export const prefixApart: ValueHelp = helpForText((text) => {
  const [prefix = '', name] = parts(text) ?? [];
  if (name !== undefined) return `write \`resourcePrefix: ${prefix}\` and \`resourceName: ${name}\``;
  const plain = text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .join('_');
  return plain === '' || plain === text || plain.length > RESOURCE_NAME_MAX ? undefined : `write \`${plain}\``;
});

/** Help for a name with a prefix, if the prefix is fixed. */
export const withoutPrefix: ValueHelp = helpForText((text) => {
  const [, name] = parts(text) ?? [];
  return name === undefined ? undefined : `write the name alone: \`${name}\``;
});
