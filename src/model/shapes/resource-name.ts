import { helpForText, type ValueHelp } from './help.js';

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
