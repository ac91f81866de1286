import { helpForText, type ValueHelp } from './help.js';

/**
 * Name of a resource without its prefix, as the webhook of the operator checks it (network-operator b06827e0,
 * api/v1alpha1/validator/hostdevicenetwork_webhook.go and webhook-schemas/rdma_shared_device_plugin.json).
 */
export const RESOURCE_NAME = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/** Prefix of a resource's name (network-operator b06827e0, api/v1alpha1/validator/nicpolicy_webhook.go). */
export const RESOURCE_PREFIX = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z]{2,})+$/;

function parts(text: string): readonly [prefix: string, name: string] | undefined {
  const [, prefix, name] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  return prefix === undefined || name === undefined ? undefined : [prefix, name];
}

/** Help for a name with a prefix, which belongs in its own key. */
export const prefixApart: ValueHelp = helpForText((text) => {
  const [prefix = '', name] = parts(text) ?? [];
  return name === undefined ? undefined : `write \`resourcePrefix: ${prefix}\` and \`resourceName: ${name}\``;
});

/** Help for a name with a prefix, if the prefix is fixed. */
export const withoutPrefix: ValueHelp = helpForText((text) => {
  const [, name] = parts(text) ?? [];
  return name === undefined ? undefined : `write the name alone: \`${name}\``;
});
