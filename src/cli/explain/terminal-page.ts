const BOLD = '\x1b[1m';
const RESET = '\x1b[0m';

/** A page of the documentation for a terminal: headings without marks, links as their text, examples indented. */
export function terminalPage(markdown: string, hasColour: boolean): string {
  const bold = (text: string) => (hasColour ? `${BOLD}${text}${RESET}` : text);
  let isCode = false;
  const lines = markdown
    .replace(/^<!--[^]*?-->\n*/, '')
    .split('\n')
    .flatMap((line): readonly string[] => {
      if (/^```/.test(line)) {
        isCode = !isCode;
        return [];
      }
      if (isCode) return [`    ${line}`.trimEnd()];
      const heading = /^#+ (.*)$/.exec(line)?.[1];
      if (heading !== undefined) return [bold(withoutMarks(heading))];
      return [withoutMarks(line)];
    });
  return lines.join('\n');
}

/** Backticks stay: they mark names. */
function withoutMarks(line: string): string {
  return line.replace(/\[([^[\]]+)\]\([^()]*\)/g, '$1').replace(/\*\*([^*]+)\*\*/g, '$1');
}
