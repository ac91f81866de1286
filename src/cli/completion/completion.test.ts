import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO_STARTUP_FILES } from '../../../test/kit/bash.js';
import { LangVariant, parse } from 'sh-syntax';
import { runWeft } from '../../../test/kit/run-weft.js';

const scripts = new Map<string, Promise<string>>();

async function madeScript(shell: string): Promise<string> {
  const { exit, stdout } = await runWeft(['completion', shell], { cwd: '/' });
  expect(exit).toBe(0);
  return stdout;
}

/** The script of a shell, made once. */
function scriptFor(shell: string): Promise<string> {
  const script = scripts.get(shell) ?? madeScript(shell);
  scripts.set(shell, script);
  return script;
}

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-completion-'));
  for (const name of ['clusters/east', 'clusters/west side', 'clusters/$(touch${IFS}ran)', 'clusters/east/inner'])
    mkdirSync(join(root, name), { recursive: true });
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root });
  git('init', '-q', '-b', 'trunk');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '--allow-empty', '-m', 'first');
  git('tag', 'v1');
  git('branch', 'fix-$(touch${IFS}ran)');
});
afterAll(() => rmSync(root, { recursive: true }));

/** The completions of bash for the last word. */
async function offered(words: readonly string[]): Promise<readonly string[]> {
  const program = [
    await scriptFor('bash'),
    'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _weft; printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const text = execFileSync('bash', [...NO_STARTUP_FILES, '-euc', program, 'bash', 'weft', ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  return text.split('\n').filter((line) => line !== '');
}

async function problemOf(script: string, variant: number): Promise<unknown> {
  try {
    await parse(script, { variant });
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('completion in bash', () => {
  it('runs nothing that the name of a branch or a cluster holds, and does not offer it', async () => {
    expect((await offered(['diff', ''])).join()).not.toContain('fix');
    expect((await offered(['plan', ''])).join()).not.toContain('touch');
    expect(existsSync(join(root, 'ran'))).toBe(false);
    expect(existsSync(join(root, 'clusters/ran'))).toBe(false);
  });

  it.each([
    { words: ['s'], expected: ['synth', 'status', 'schema'] },
    { words: ['diff', '--fo'], expected: ['--folder', '--format'] },
    { words: ['diff', '--format', ''], expected: ['text', 'markdown', 'json', 'github', 'sarif'] },
    { words: ['diff', '--fail-on', 'd'], expected: ['driver-loss', 'drain'] },
    { words: ['synth', '--format', '=', 'js'], expected: ['json'] },
    { words: ['synth', '--format', '='], expected: ['text', 'json', 'github', 'sarif'] },
    { words: ['diff', ''], expected: ['clusters', '.git', 'trunk', 'v1'] },
    { words: ['diff', '--folder', ''], expected: ['clusters', '.git'] },
    { words: ['synth', '-o', ''], expected: ['json', 'yaml'] },
    {
      words: ['synth', 'clusters/'],
      expected: ['$(touch${IFS}ran)', 'east', 'west side'].map((name) => `clusters/${name}`),
    },
    { words: ['completion', ''], expected: ['bash', 'zsh', 'fish'] },
    { words: ['schema', 'NicC'], expected: ['NicClusterPolicy'] },
    { words: ['explain', 'WEFT005'], expected: Array.from({ length: 10 }, (_, digit) => `WEFT005${digit}`) },
    { words: ['plan', ''], expected: ['clusters', '.git', 'east'] },
    { words: ['status', 'ea'], expected: ['east'] },
    { words: ['plan', '--context', ''], expected: ['clusters', '.git'] },
    { words: ['explain', 'ofedDriver.upgradePolicy.dr'], expected: ['ofedDriver.upgradePolicy.drain'] },
    {
      words: ['explain', 'secondaryNetwork'],
      expected: ['', '.cniPlugins', '.ipamPlugin', '.ipoib', '.multus'].map((step) => `secondaryNetwork${step}`),
    },
    { words: ['explain', 'nodePools.k'], expected: ['nodePools.kernel', 'nodePools.kernels'] },
    { words: ['explain', 'NicC'], expected: ['NicClusterPolicy'] },
    { words: ['help', 'di'], expected: ['diff'] },
  ])('$words', async ({ words, expected }) => {
    expect([...(await offered(words))].sort()).toEqual([...expected].sort());
  });
});

it('completes npx weft in bash, and leaves other programs of npx to it', async () => {
  const program = [
    await scriptFor('bash'),
    'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _weft_by_npx; printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const offers = (...words: readonly string[]) =>
    execFileSync('bash', [...NO_STARTUP_FILES, '-euc', program, 'bash', 'npx', ...words], {
      cwd: root,
      encoding: 'utf8',
    })
      .trim()
      .split('\n');
  expect(offers('weft', 'synth', '-o', '')).toEqual(['json', 'yaml']);
  expect(offers('weft', 's').sort()).toEqual(['schema', 'status', 'synth']);
  expect(offers('prettier', '')).toEqual(['']);
});

describe('completion in other shells', () => {
  // The shells may not be installed. `sh-syntax` is the parser of shfmt, which has the grammar of zsh.
  it.each([
    ['zsh', LangVariant.LangZsh],
    ['bash', LangVariant.LangBash],
  ] as const)('is a script of %s', async (shell, variant) => {
    expect(await problemOf(await scriptFor(shell), variant)).toBeUndefined();
    expect(await problemOf(`${await scriptFor(shell)}}\n`, variant)).toBeDefined();
  });

  it('has in fish what each command offers, one `complete` a line, and functions that end', async () => {
    const lines = (await scriptFor('fish')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const isTop = (line: string) => /^(complete|function|end)\b/.test(line);
    expect(lines.filter((line) => !isTop(line) && !line.startsWith('    '))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('function '))).toHaveLength(
      lines.filter((line) => line === 'end').length,
    );
    // Words of fish: plain, in single quotes, in which a backslash escapes a quote, or in double quotes.
    const words = /^(?:(?:[^\s'"\\()]|\\.|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")+(?:\s|$))+$/;
    expect(lines.filter((line) => line.startsWith('complete ') && !words.test(line))).toEqual([]);
  });

  it.each([
    ['zsh', "'*:value:(bash zsh fish)'"],
    ['zsh', "'--output-dir[where the folders of the clusters go (default\\: dist beside clusters/)]:folder:_files -/'"],
    ['zsh', "'*:revision or folder:_weft_old'"],
    ['zsh', "'*:cluster or folder:_weft_clusters'"],
    ['zsh', "'*:code or field:_weft_explained'"],
    ['zsh', '#compdef weft npx\n'],
    ['zsh', 'shift words; (( CURRENT-- ))'],
    ['fish', "complete -c npx -n __weft_is_npx -f -a '(__weft_by_npx)'"],
    ['fish', '-l output-dir -r'],
    [
      'fish',
      'complete -c weft -n "__fish_seen_subcommand_from diff" -a \'(git -c safe.bareRepository=explicit for-each-ref',
    ],
    ['fish', 'complete -c weft -n "__fish_seen_subcommand_from completion" -f -a \'bash zsh fish\''],
  ])('has the values in %s', async (shell, line) => {
    expect(await scriptFor(shell)).toContain(line);
  });
});
