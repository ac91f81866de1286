import type { Diagnostic, PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { isObject, valueAt } from '../../../shared/lib/json.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';
import { found } from '../../model/found.js';
import { formatPath } from '../../model/issues.js';
import { fillHelp, unfilledIn } from '../../model/unfilled.js';

/** Quotes of word processors, which YAML, JSON and programs take as letters. */
const TYPOGRAPHIC_QUOTE = /[\u2018\u2019\u201A\u201C\u201D\u201E]/;

interface PlacedText {
  readonly path: readonly PathStep[];
  readonly at: 'key' | 'value';
  readonly text: string;
}

/** Texts for people may have any characters, and scripts and templates variables of their own. */
const FREE = /(?:annotations|description|labelsTemplate|varsTemplate|patches|script)$/i;

function* textsIn(value: unknown, path: readonly PathStep[] = []): Generator<PlacedText> {
  if (typeof value === 'string') yield { path, at: 'value', text: value };
  else if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* textsIn(one, [...path, index]);
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (FREE.test(key)) continue;
      yield { path: [...path, key], at: 'key', text: key };
      yield* textsIn(inner, [...path, key]);
    }
  }
}

const nameOf = (path: readonly PathStep[]): string => `\`${formatPath(path)}\``;

/** The line of a value of an environment may hold a secret. */
const placeOf = (document: SourceDocument, path: readonly PathStep[]) => ({
  origin: { document, path },
  ...(path.includes('env') && { isSecret: true as const }),
});

/** Variables and templates that nobody filled in, and typographic quotes: one diagnostic of each for a document. */
export function textSlips(document: SourceDocument): readonly Diagnostic[] {
  const texts = [...textsIn(document.value)];
  const unfilled = texts.flatMap((text) => {
    const slip = unfilledIn(text.text);
    return slip ? [{ ...text, slip }] : [];
  });
  const quotes = texts.filter(({ text }) => TYPOGRAPHIC_QUOTE.test(text));
  const [variable] = unfilled;
  const [quote] = quotes;
  const others = (count: number) => (count > 1 ? `, and ${count - 1} more of the document` : '');
  return [
    ...(variable
      ? [
          found('WEFT0328', {
            ...placeOf(document, variable.path),
            at: variable.at,
            message: `\`${variable.slip.text}\` in ${nameOf(variable.path)} was not filled in${others(unfilled.length)}`,
            help: fillHelp(variable.slip),
          }),
        ]
      : []),
    ...(quote
      ? [
          found('WEFT0327', {
            ...placeOf(document, quote.path),
            at: quote.at,
            message: `${nameOf(quote.path)} has a typographic quote, which programs take as a letter${others(quotes.length)}`,
            help: `write \`"\` or \`'\``,
          }),
        ]
      : []),
  ];
}

/** The diagnostic of a value that is refused, with the help for a variable if it holds one. */
export function withFillHelp(one: Diagnostic, { value }: SourceDocument): Diagnostic {
  const given = one.path === undefined ? undefined : valueAt(value, one.path);
  const slip = typeof given === 'string' ? unfilledIn(given) : undefined;
  return slip === undefined ? one : { ...one, help: fillHelp(slip) };
}
