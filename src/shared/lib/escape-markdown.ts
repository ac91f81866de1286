import { escapeLine, escapeUnsafe } from './escape.js';
import { shorten } from './text.js';

/** Names have at most 253 characters; longer text is cut, because GitHub refuses long comments. */
const SHOWN_LENGTH = 500;
const SENTENCE_LENGTH = 1_000;

/** A marker of a comment that a CI job finds again begins so. */
const COMMENT = /<(?=!--)/g;

const visible = (text: string): string =>
  Array.from(text, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');

/**
 * Any text as a code span, in which nothing is markup, a link, a mention, a reference or an emoji (CommonMark 0.31, 6.1), also in
 * a cell of a table. Backticks that follow each other are escaped, because parsers give up on long runs of them (cmark: more than 80).
 */
export function markdownCode(text: string): string {
  const safe = escapeLine(shorten(text, SHOWN_LENGTH))
    .replaceAll('|', visible)
    .replace(COMMENT, visible)
    .replace(/`{2,}/g, visible);
  if (safe === '') return '';
  return safe.includes('`') ? `\`\` ${safe} \`\`` : `\`${safe}\``;
}

/** A part in backticks, a word, or a backtick without a second one. */
const PART = /`[^`]+`|[^\s`]+|`/g;
/** A word, a number, a time, a duration or nothing, with punctuation around it. No service makes anything of one. */
const PLAIN =
  /^\(?(?:[A-Za-z]+(?:['\u2019-][A-Za-z]+)*|\d{1,6}|\d{4}-\d\d-\d\d|\d\d:\d\dZ|(?:\d{1,3}[hms]){1,3}|\u2026)?[.,;:)]*$/;

/**
 * A sentence of ours with text of others in it. Plain words stay as they are, and all else is in code spans: names, and what is in
 * backticks. So nothing in it is markup, a link, a mention, a reference or an emoji.
 */
export function markdownText(text: string): string {
  const line = escapeUnsafe(shorten(text, SENTENCE_LENGTH)).replaceAll('\t', ' ');
  let end = 0;
  return line.replace(PART, (part: string, offset: number) => {
    if (PLAIN.test(part)) return part;
    // The backticks of two code spans beside each other would be one run.
    const space = offset > 0 && offset === end ? ' ' : '';
    end = offset + part.length;
    if (/^`.+`$/.test(part)) return space + markdownCode(part.slice(1, -1));
    const tail = /[,;:]$/.exec(part)?.[0] ?? '';
    return `${space}${markdownCode(part.slice(0, part.length - tail.length))}${tail}`;
  });
}

/** A line in a block of code between fences of three backticks, which it cannot end. */
export function markdownBlockLine(line: string): string {
  return escapeLine(line).replace(COMMENT, visible).replace(/`{3,}/g, visible);
}
