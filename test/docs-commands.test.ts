import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_STARTUP_FILES } from './kit/bash.js';
import { runWeft, withCluster } from './kit/run-weft.js';
import { PLAIN_CLUSTER, policyText } from './golden/compile.js';

/**
 * Pages about diagnostics whose example needs files or a command: each `sh error` block runs in a new project and shows its
 * code, and the `sh fixed` block below it continues in the same project and no longer shows it.
 */
const folder = join(__dirname, '../docs/errors');
const pages = readdirSync(folder).flatMap((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const block = (word: string) => new RegExp(`^\`\`\`sh ${word}\\n([^]*?)^\`\`\`$`, 'm').exec(text)?.[1];
  const [error, fixed] = [block('error'), block('fixed')];
  return error === undefined && fixed === undefined ? [] : [{ code: name.slice(0, 8), error, fixed }];
});

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'weft-docs-')));
  mkdirSync(join(cwd, 'clusters/east'), { recursive: true });
  writeFileSync(join(cwd, 'clusters/east/cluster.yaml'), PLAIN_CLUSTER);
  const spec = '  nicFeatureDiscovery: {}\n';
  writeFileSync(join(cwd, 'clusters/east/policy.yaml'), policyText('NicClusterPolicy', 'nic-cluster-policy', spec));
});
afterEach(() => rmSync(cwd, { recursive: true }));

/**
 * Runs the lines of a block; the result is the output of `weft`, with the exit code of the last call.
 *
 * @param answer of somebody at a terminal. Default: there is none
 */
async function runBlock(block: string, answer?: string): Promise<{ readonly said: string; readonly exit: number }> {
  let [said, exit, shell] = ['', 0, ''];
  for (const line of block.split('\n')) {
    const call = /^weft (?<words>[^<]*)(?:< (?<file>\S+))?$/.exec(line);
    if (!call) {
      shell += `${line}\n`;
      continue;
    }
    execFileSync('bash', [...NO_STARTUP_FILES, '-e', '-c', shell], { cwd });
    shell = '';
    const { words = '', file } = call.groups ?? {};
    const args = words
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/^'(.*)'$/, '$1'));
    const printed = await runWeft(args, {
      readStdin: () => Promise.resolve(file === undefined ? '' : readFileSync(join(cwd, file), 'utf8')),
      cwd,
      version: '0.1.0',
      // The kubectl of a cluster without pending upgrades.
      env: withCluster(),
      isStdinTerminal: answer !== undefined,
      isStderrTerminal: answer !== undefined,
      ...(answer !== undefined && { ask: () => Promise.resolve(answer) }),
    });
    said += printed.stderr;
    exit = printed.exit;
  }
  return { said, exit };
}

describe('pages about diagnostics with commands', () => {
  it('are found', () => {
    expect(pages.map(({ code }) => code)).toEqual(expect.arrayContaining(['WEFT0020', 'WEFT0070']));
  });

  it.each(pages)('$code has an example that gives it, and a fix', async ({ code, error = '', fixed = '' }) => {
    const isAsked = code === 'WEFT0394';
    const broken = await runBlock(error, isAsked ? '' : undefined);
    expect(broken.said).toContain(code);
    const mended = await runBlock(fixed, isAsked ? 'y' : undefined);
    expect(mended.said).not.toContain(code);
    expect(mended.said).not.toMatch(/^error/m);
    expect(mended.exit).toBeLessThan(2);
  });
});
