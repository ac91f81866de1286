/** A variable of the shell, or an expression of a template, that nobody filled in. */
interface Unfilled {
  readonly text: string;
  /** The program that fills it in. */
  readonly program: 'envsubst' | 'helm template';
}

const VARIABLE = /\$\{[A-Za-z_]\w*(?:[:\-?+=][^{}]*)?\}|\$[A-Za-z_]\w*/;
const TEMPLATE = /\{\{[^{}]+\}\}|\{%[^{}]+%\}/;

/** The first template expression or variable in a text; `undefined` if there is none. */
export function unfilledIn(text: string): Unfilled | undefined {
  const template = TEMPLATE.exec(text)?.[0];
  if (template !== undefined) return { text: template, program: 'helm template' };
  const variable = VARIABLE.exec(text)?.[0];
  return variable === undefined ? undefined : { text: variable, program: 'envsubst' };
}

export const isUnfilled = (text: string): boolean => unfilledIn(text) !== undefined;

/** How to fill it in. */
export const fillHelp = ({ program }: Unfilled): string =>
  program === 'envsubst'
    ? 'fill variables in first, with `envsubst < file`, and put the result here'
    : 'render the template first, with `helm template` or the program that it is for, and put the result here';
