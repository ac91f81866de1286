/** A variable of the shell, an expression of a template, or a placeholder, that nobody filled in. */
interface Unfilled {
  readonly text: string;
  /** Who fills it in. */
  readonly by: 'envsubst' | 'helm template' | 'a person';
}

const VARIABLE = /\$\{[A-Za-z_]\w*(?:[:\-?+=][^{}]*)?\}|\$[A-Za-z_]\w*/;
const TEMPLATE = /\{\{[^{}]+\}\}|\{%[^{}]+%\}/;

/**
 * What people write where a value is to be put: `@NIC@`, `%NIC%` (an escape of a URL has two characters), `__NIC__`, `#{NIC}#`, `<your-nic>`,
 * `YOUR_NIC`, `CHANGEME`, `10.0.XXX.0`. Words that may be names, such as `todo`, count only in upper case and at the beginning.
 */
const PLACEHOLDER = new RegExp(
  [
    /@[A-Z][A-Z0-9_]+@/,
    /%[A-Z][A-Z0-9_]{2,}%/,
    /__[A-Z][A-Z0-9_]*[A-Z0-9]__/,
    /#\{[\w .-]+\}#?/,
    /<[A-Za-z][\w .:/-]*>/,
    /(?<![A-Za-z0-9])(?:change|replace)[_-]?me(?![A-Za-z0-9])/,
    /(?<![A-Za-z0-9])(?:CHANGE|REPLACE)[_-]?ME(?![A-Za-z0-9])/,
    /(?<![A-Za-z0-9_])(?:YOUR|INSERT)_[A-Z0-9_]+/,
    /(?<![A-Za-z0-9])your-[a-z0-9-]+/,
    /(?<![A-Za-z0-9+/=])(?:X{3,}|x{3,})(?![A-Za-z0-9+/=])/,
    /^(?:TODO|FIXME|TBD)(?![A-Za-z0-9])/,
    /^(?:x\.){3}x(?![\w.])/i,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** The first template expression, variable or placeholder in a text; `undefined` if there is none. */
export function unfilledIn(text: string): Unfilled | undefined {
  const template = TEMPLATE.exec(text)?.[0];
  if (template !== undefined) return { text: template, by: 'helm template' };
  const variable = VARIABLE.exec(text)?.[0];
  if (variable !== undefined) return { text: variable, by: 'envsubst' };
  const placeholder = PLACEHOLDER.exec(text)?.[0];
  return placeholder === undefined ? undefined : { text: placeholder, by: 'a person' };
}

export const isUnfilled = (text: string): boolean => unfilledIn(text) !== undefined;

/** How to fill it in. */
export function fillHelp({ by }: Unfilled): string {
  switch (by) {
    case 'envsubst':
      return 'fill variables in first, with `envsubst < file`, and put the result here';
    case 'helm template':
      return 'render the template first, with `helm template` or the program that it is for, and put the result here';
    case 'a person':
      return 'write the value that belongs here';
  }
}
