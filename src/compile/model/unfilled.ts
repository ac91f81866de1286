/** A variable of the shell, or an expression of a template, that nobody filled in. */
export interface Unfilled {
  readonly text: string;
  /** Which program fills it in. */
  readonly kind: 'variable' | 'template';
}

const VARIABLE = /\$\{[A-Za-z_]\w*(?:[:\-?+=][^{}]*)?\}|\$[A-Z_][A-Z0-9_]*(?!\w)/;
const TEMPLATE = /\{\{[^{}]+\}\}|\{%[^{}]+%\}/;

/** The first variable or template expression in a text; `undefined` if there is none. */
export function unfilledIn(text: string): Unfilled | undefined {
  const template = TEMPLATE.exec(text)?.[0];
  if (template !== undefined) return { text: template, kind: 'template' };
  const variable = VARIABLE.exec(text)?.[0];
  return variable === undefined ? undefined : { text: variable, kind: 'variable' };
}

export const isUnfilled = (text: string): boolean => unfilledIn(text) !== undefined;
