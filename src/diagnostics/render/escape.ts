/**
 * Characters that change how a terminal or a browser shows the text around them: controls (escape sequences begin with
 * one), bidirectional controls, invisible characters, line separators, and halves of surrogate pairs.
 */
const unsafe =
  /[\0-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** Replaces characters that must not reach a terminal by escapes such as `\u{1b}`. Tabs stay. */
export function escapeUnsafe(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Maximum length, because values in messages have no limit. */
const shownLengthMax = 2_000;

/** The text, cut to a maximum length. */
export function shorten(text: string): string {
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text;
}

/** The text on one line, escaped and cut to a maximum length. */
export function escapeLine(text: string): string {
  return escapeUnsafe(shorten(text)).replaceAll('\t', '    ');
}

/** Replaces characters that JSON may have, but that must not reach a terminal, by JSON's own escapes. */
export function escapeJson(json: string): string {
  return json.replace(unsafe, (character) =>
    // Line feeds are the layout of the JSON text itself; within its strings they are escaped already.
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
          .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
          .join(''),
  );
}
