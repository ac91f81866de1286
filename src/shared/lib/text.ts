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

/** The first characters of a text, with `…` where more follow. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
