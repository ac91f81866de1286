/** The text before the first occurrence of a mark; all of it if there is none. */
export function textBefore(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at === -1 ? text : text.slice(0, at);
}

/** The text after the last occurrence of a mark; all of it if there is none. */
export function textAfterLast(text: string, mark: string): string {
  return text.slice(text.lastIndexOf(mark) + 1);
}

/** The text without one character at its end, however often it is there. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Maximum length of a text that is shown, because values in messages have no limit. */
const shownLengthMax = 2_000;

/** The text, cut to a maximum length, with `…` where more follows. Default: 2000 characters. */
export function shorten(text: string, lengthMax = shownLengthMax): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
}

/** The text as a part of a regular expression that matches it. */
export function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
