import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { NO_STARTUP_FILES } from '../../../test/kit/bash.js';
import { upgradeCommand } from '../contract/upgrade-command.js';
import { escapeLine, shellWord } from './escape.js';
import { markdownCode, markdownText } from './escape-markdown.js';

describe('a line', () => {
  it.each([
    { input: '\u001b[31m\u202ea\tb', expected: '\\u{1b}[31m\\u{202e}a    b' },
    { input: '::error::x', expected: '\\u{3a}:error::x' },
    { input: ' ::error::x', expected: ' \\u{3a}:error::x' },
    { input: 'a ##[group]b', expected: 'a \\u{23}#[group]b' },
    { input: 'fd00::1 ## title', expected: 'fd00::1 ## title' },
    { input: 'x'.repeat(3_000), expected: `${'x'.repeat(2_000)}…` },
  ])('$input', ({ input, expected }) => expect(escapeLine(input)).toBe(expected));
});

describe('a word of a shell', () => {
  const words = (command: string): readonly string[] =>
    execFileSync('bash', [...NO_STARTUP_FILES, '-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
      .split('\n')
      .slice(0, -1);

  it('is a name of Kubernetes as it is', () => {
    expect(['node-1.example.com', 'system:a', 'a/b', 'x=1'].map(shellWord)).toEqual([
      ...['node-1.example.com', 'system:a', 'a/b', 'x=1'],
    ]);
  });

  it.each(['a; rm -rf ~', '$(id)', '`id`', "it's", '"a" \\ b', 'a|b>c', '~', '*', '!!', '#', '', 'a\nid\n'])(
    'is one word for bash: %j',
    (text) => {
      expect(words(shellWord(text))).toEqual([escapeLine(text)]);
      expect(words(upgradeCommand('retry', text, text))).toEqual(
        ['weft', 'upgrade', 'retry', text, '--driver', text].map(escapeLine),
      );
    },
  );

  it('is no option', () => expect(words(shellWord('--kubeconfig=/tmp/x'))).toEqual(['./--kubeconfig=/tmp/x']));
});

describe('Markdown', () => {
  it.each([
    { input: 'node-1', expected: '`node-1`' },
    { input: 'a`b', expected: '`` a`b ``' },
    { input: 'a``b|c', expected: '`a\\u{60}\\u{60}b\\u{7c}c`' },
    { input: '<!-- x', expected: '`\\u{3c}!-- x`' },
    { input: '', expected: '' },
  ])('has $input in a code span', ({ input, expected }) => expect(markdownCode(input)).toBe(expected));

  it.each([
    { input: 'all nodes wait (20), and none begins.', expected: 'all nodes wait (20), and none begins.' },
    { input: 'run `weft plan` first; it names node-1', expected: 'run `weft plan` first; it names `node-1`' },
    { input: '(`a b`), c', expected: '(`a b`), c' },
    { input: 'see @team', expected: 'see `@team`' },
    { input: '`a`@team', expected: '`a` `@team`' },
    { input: 'a` @team', expected: 'a`` ` `` `@team`' },
  ])('has of the sentence $input only words outside of code spans', ({ input, expected }) => {
    expect(markdownText(input)).toBe(expected);
  });
});
