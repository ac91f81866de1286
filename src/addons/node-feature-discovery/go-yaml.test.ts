import { describe, expect, it } from '@jest/globals';
import { goYaml } from './go-yaml.js';

const FOLDED = 'ä'.repeat(83);
const LONG = `${FOLDED} two three`;

// The expected texts are those of `toYaml` of Helm 3.22.
describe('goYaml', () => {
  it.each([
    ['lists without indentation', { b: ['x', { k: 1 }], a: {} }, 'a: {}\nb:\n- x\n- k: 1'],
    [
      'text that YAML 1.1 reads as another type',
      { a: ['0300', 'yes', '1:30', '', '1.5', 'null', '0o7', 'x\ty'] },
      'a:\n- "0300"\n- "yes"\n- "1:30"\n- ""\n- "1.5"\n- "null"\n- "0o7"\n- "x\\ty"',
    ],
    [
      'text that plain style does not allow',
      { '*': ['*', 'a: b', '- x', '#x', '%x', '@'] },
      "'*':\n- '*'\n- 'a: b'\n- '- x'\n- '#x'\n- '%x'\n- '@'",
    ],
    ['other types', { a: true, b: null, c: 1.5 }, 'a: true\nb: null\nc: 1.5'],
    ['text of several lines', { b: 'x\ny' }, 'b: |-\n  x\n  y'],
    [
      'text with an apostrophe, a comment, or only a space',
      { a: "it's: x", b: '~ #x', c: ' ' },
      "a: 'it''s: x'\nb: '~ #x'\nc: ' '",
    ],
    ['nothing', null, 'null'],
    [
      'plain text of more than 80 columns',
      { a: [LONG], b: { c: `${LONG}  x` } },
      `a:\n- ${FOLDED}\n  two three\nb:\n  c: ${FOLDED}\n    two three  x`,
    ],
    [
      'quoted text of more than 80 columns, and a literal one',
      { a: `# ${LONG}`, b: `\t${LONG}`, c: `${LONG}\nx` },
      `a: '# ${FOLDED}\n  two three'\nb: "\\t${FOLDED}\n  two three"\nc: |-\n  ${LONG}\n  x`,
    ],
    [
      'a space that may not begin a line',
      { a: `\t${LONG.replace(' two', '  two')}` },
      `a: "\\t${FOLDED}\n  \\ two three"`,
    ],
  ])('writes %s', (_, value, text) => {
    expect(goYaml(value)).toBe(text);
  });
});
