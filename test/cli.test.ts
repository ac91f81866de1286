import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runWeft } from './kit/run-weft.js';
import { expectGolden, isUpdate } from './golden/golden-file.js';

/**
 * A case is a folder:
 *   args      one command per line, run one after the other
 *   input/    the working directory, if any; `input.2/` is copied over it before the second command, and so on
 *             (TypeScript files end with `.ts.txt` here, so that `tsc` does not compile them)
 *   stdin     what each command reads, if anything
 *   stdout, stderr, exit   the output of all commands, and the exit code of each
 *   tree/     the content of `dist` at the end
 * `npm run golden` writes the output and the tree.
 */
const CASES = join(__dirname, 'cli');

let cwd: string;

beforeEach(() => {
  // Help texts wrap at the width of a terminal, and at 80 columns without a terminal.
  process.stdout.isTTY = false;
  process.stderr.isTTY = false;
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'weft-cli-')));
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
});

/** All files below a folder, by path; empty if the folder does not exist. */
function filesBelow(folder: string, prefix = ''): Record<string, string> {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder)
    .sort()
    .map((name): Record<string, string> => {
      const path = join(folder, name);
      return statSync(path).isDirectory()
        ? filesBelow(path, `${prefix}${name}/`)
        : { [`${prefix}${name}`]: readFileSync(path, 'utf8') };
    });
  return Object.assign({}, ...entries) as Record<string, string>;
}

/** Text with the names of this machine's folders replaced. */
function withoutPlaces(text: string): string {
  let result = text.replaceAll(cwd, '<cwd>');
  for (let parent = dirname(cwd); ; parent = dirname(parent)) {
    result = result.replace(`  ${join(parent, 'clusters')}\n`, '');
    if (dirname(parent) === parent) return result;
  }
}

function copyInput(input: string): void {
  cpSync(input, cwd, { recursive: true });
  const texts = Object.keys(filesBelow(cwd)).filter((path) => path.endsWith('.ts.txt'));
  for (const path of texts) renameSync(join(cwd, path), join(cwd, path.replace(/\.txt$/, '')));
}

async function runCase(folder: string): Promise<{ stdout: string; stderr: string; exit: string }> {
  const printed = { stdout: '', stderr: '', exit: '' };
  const stdin = join(folder, 'stdin');
  const commands = readFileSync(join(folder, 'args'), 'utf8').trimEnd().split('\n');
  for (const [index, command] of commands.entries()) {
    const input = join(folder, index === 0 ? 'input' : `input.${index + 1}`);
    if (existsSync(input)) copyInput(input);
    const { stdout, stderr, exit } = await runWeft(command.split(' ').filter(Boolean), {
      readStdin: () => Promise.resolve(existsSync(stdin) ? readFileSync(stdin, 'utf8') : ''),
      cwd,
      env: { PATH: process.env['PATH'] },
      isStdinTerminal: !existsSync(stdin),
    });
    printed.stdout += stdout;
    printed.stderr += stderr;
    printed.exit += `${exit}\n`;
  }
  return { stdout: withoutPlaces(printed.stdout), stderr: withoutPlaces(printed.stderr), exit: printed.exit };
}

function expectTree(folder: string): void {
  const found = filesBelow(join(cwd, 'dist'));
  const golden = join(folder, 'tree');
  if (isUpdate) {
    rmSync(golden, { recursive: true, force: true });
    for (const [path, text] of Object.entries(found)) expectGolden(join(golden, path), text);
    return;
  }
  expect(found).toEqual(filesBelow(golden));
}

const names = readdirSync(CASES).filter((name) => statSync(join(CASES, name)).isDirectory());

describe('weft', () => {
  it.each(names)('%s', async (name) => {
    const folder = join(CASES, name);
    const printed = await runCase(folder);
    for (const [stream, text] of Object.entries(printed)) expectGolden(join(folder, stream), text);
    expectTree(folder);
  });

  it('has an exit code for each line of args', () => {
    for (const name of names) {
      const lines = (file: string) =>
        readFileSync(join(CASES, name, file), 'utf8')
          .trimEnd()
          .split('\n').length;
      expect([name, lines('exit')]).toEqual([name, lines('args')]);
    }
  });
});
