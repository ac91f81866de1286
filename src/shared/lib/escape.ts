import { HIDDEN } from './hidden-characters.js';
import { shorten } from './text.js';

/** What must not reach a terminal, a browser or a log as itself: hidden characters and all controls but the tab. */
const UNSAFE = new RegExp(`[\\u0000-\\u0008\\u000a-\\u001f${HIDDEN}]`, 'gu');

const visible = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Replaces characters that must not reach a terminal by escapes such as `\u{1b}`. Tabs stay. */
export function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** The text on one line, escaped and cut to a maximum length. CI services take nothing in it for a command. */
export function escapeLine(text: string): string {
  return withoutCommands(escapeUnsafe(shorten(text)).replaceAll('\t', '    '));
}

/**
 * A command in the log of a CI job, which its runner carries out: a line that begins with `::` (GitHub Actions), `##[…]` anywhere in a line (GitHub
 * Actions, Azure Pipelines), and there `##vso[…]` and `##teamcity[…]` as well. From actions/runner 079cdb1d, src/Runner.Common/ActionCommand.cs.
 */
const COMMAND = /^([^\S\n\r\u2028\u2029]*):(?=:\w)|#(?=#\w*\[)/gm;

/** The lines with the first character of each command of a CI job escaped. */
export function withoutCommands(text: string): string {
  return text.replace(COMMAND, (mark, indent: string | undefined) =>
    indent === undefined ? visible(mark) : `${indent}${visible(':')}`,
  );
}

/** JSON text with what must not reach a terminal, and commands of a CI job, replaced by JSON's own escapes. */
export function escapeJson(json: string): string {
  const codeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
  return json
    .replace(UNSAFE, (character) =>
      // Line feeds are the layout of the JSON text itself; within its strings they are escaped already.
      character === '\n'
        ? character
        : Array.from({ length: character.length }, (_, index) => codeOf(character.charCodeAt(index))).join(''),
    )
    .replace(/#(?=#\w*\[)/g, codeOf(0x23));
}

/** Text in HTML, and in an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return withoutCommands(escapeUnsafe(text))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** JSON text in an element of HTML, which it cannot end (HTML, 4.12.1.3). */
export function escapeJsonForHtml(json: string): string {
  return escapeJson(json).replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

/** The value of a label in Prometheus' text format, without quotes. */
export function escapePrometheusLabel(text: string): string {
  return escapeLine(text).replace(/[\\"]/g, '\\$&');
}

/** The same for each line of a text. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeLine).join('\n');
}

/**
 * One word of a command that people paste into a shell. What is not plain stands in single quotes; text that a program would read as
 * an option cannot be the name of anything, and control characters are escaped, so it is no word that the command finds.
 */
export function shellWord(text: string): string {
  const word = escapeUnsafe(shorten(text)).replace(/^-/, './-');
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
