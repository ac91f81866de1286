/** Widest line of a comment. */
const WIDTH = 110;

/** A comment of documentation, each line of it wrapped. */
export function comment(lines: readonly string[]): string {
  const wrapped = lines.flatMap((line) => wrap(line.replaceAll('*/', '*\\/')));
  if (wrapped.length === 1) return `/** ${wrapped.join('')} */\n`;
  return `/**\n${wrapped.map((line) => ` * ${line}\n`).join('')} */\n`;
}

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A key as TypeScript writes it. */
export function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
