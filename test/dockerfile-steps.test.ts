import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMPANION_ENV } from '../src/shared/contract/companion-env.js';
import { isEveryCase } from './kit/shares.js';

/**
 * Runs the steps of the Dockerfile in a folder for each stage: no image is pulled, and packages are those of this repository.
 * The programs of the images are started from there with the Node that runs the test.
 */
const root = join(__dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'weft-dockerfile-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** One instruction, its continued lines joined. */
interface Instruction {
  readonly stage: string;
  readonly name: string;
  readonly text: string;
}

const INSTRUCTIONS = instructions(readFileSync(join(root, 'Dockerfile'), 'utf8'));

function instructions(text: string): readonly Instruction[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  let stage = '';
  return lines.flatMap((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') stage = rest.split(' ').at(-1) ?? '';
    return name === '' ? [] : [{ stage, name, text: rest }];
  });
}

/** The replacement of each `RUN` line; the test fails for a line that is not listed. */
const RUNS: Readonly<Record<string, (cwd: string) => void>> = {
  'npm ci --ignore-scripts --no-audit --no-fund': (cwd) =>
    symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules')),
  'npx tsx scripts/build.ts': (cwd) =>
    void execFileSync(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), 'scripts/build.ts'], { cwd }),
};

const inStage = (stage: string, path: string) => join(folder, stage, path);

function carryOut({ stage, name, text }: Instruction, workdirs: Map<string, string>): void {
  const workdir = workdirs.get(stage) ?? '/';
  if (name === 'WORKDIR') {
    workdirs.set(stage, text);
    mkdirSync(inStage(stage, text), { recursive: true });
  } else if (name === 'COPY') {
    const [, from] = /^--from=(\S+) /.exec(text) ?? [];
    const words = text.replace(/^--from=\S+ /, '').split(' ');
    const target = words.pop() ?? '';
    for (const source of words) {
      const path = from === undefined ? join(root, source) : inStage(from, source);
      const place = inStage(stage, target.startsWith('/') ? target : join(workdir, target));
      cpSync(path, target.endsWith('/') ? join(place, basename(source)) : place, {
        recursive: true,
        dereference: true,
      });
    }
  } else if (name === 'RUN' && stage === 'build') {
    const run = RUNS[text];
    if (run === undefined) throw new Error(`what is \`${text}\` here?`);
    run(inStage(stage, workdir));
  }
}

/** Starts the program of a stage as its `ENTRYPOINT` does. */
function start(stage: string, args: readonly string[], cwd: string) {
  const entry = INSTRUCTIONS.find((one) => one.stage === stage && one.name === 'ENTRYPOINT');
  const [node, program = ''] = JSON.parse(entry?.text ?? '[]') as readonly string[];
  expect(node).toBe('node');
  return spawnSync(process.execPath, [inStage(stage, program), ...args], { cwd, encoding: 'utf8', env: {} });
}

// They build the command again, which takes seconds.
(isEveryCase ? describe : describe.skip)('the lines of the Dockerfile', () => {
  beforeAll(() => {
    const workdirs = new Map<string, string>();
    for (const one of INSTRUCTIONS) carryOut(one, workdirs);
  }, 120_000);

  it('make a command that renders a cluster and explains a diagnostic', () => {
    const work = inStage('command', 'work');
    cpSync(join(root, 'clusters/quickstart'), join(work, 'clusters/quickstart'), { recursive: true });
    const quickstart = start('command', ['synth', 'clusters/quickstart'], work);
    expect(quickstart.stderr).toContain('dist/quickstart: ');
    expect(quickstart.status).toBe(0);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    expect(start('command', ['--version'], work).stdout).toContain(`weft ${version} `);
    const [title = ''] = readFileSync(join(root, 'docs/errors/WEFT0001.md'), 'utf8').split('\n');
    expect(start('command', ['explain', 'WEFT0001'], work).stdout).toContain(title.replace(/^# /, ''));
    expect(start('command', ['init', '--ci', 'github'], work).stdout).toContain('.github/workflows/weft.yml');
  });

  it('make a companion that starts, and says what its container lacks', () => {
    const companion = start('companion', [], folder);
    expect(companion.status).toBe(2);
    expect(JSON.parse(companion.stdout)).toMatchObject({ message: expect.stringContaining(COMPANION_ENV.podName) });
  });
});
