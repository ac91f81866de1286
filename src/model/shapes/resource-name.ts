import type { ValueHelp } from './help.js';

function parts(value: unknown): readonly [prefix: string, name: string] | undefined {
  const [, prefix, name] = /^([^/]+)\/([^/]+)$/.exec(String(value)) ?? [];
  return prefix === undefined || name === undefined ? undefined : [prefix, name];
}

/** Help for a name with a prefix, which has a key of its own. */
export const prefixApart: ValueHelp = {
  help: (value) => {
    const [prefix, name] = parts(value) ?? [];
    return name === undefined ? undefined : `write \`resourcePrefix: ${String(prefix)}\` and \`resourceName: ${name}\``;
  },
};

/** Help for a name with a prefix, where the prefix is always the same. */
export const withoutPrefix: ValueHelp = {
  help: (value) => {
    const [, name] = parts(value) ?? [];
    return name === undefined ? undefined : `write the name alone: \`${name}\``;
  },
};
