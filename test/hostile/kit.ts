import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { runWeft } from '../kit/run-weft.js';
import { PLAIN_CLUSTER, policyText } from '../golden/compile.js';
import { putCommand } from '../bundle/built-command.js';

/**
 * For tests of malicious or damaged input: it must give a clear error and exit 2, never a stack trace, a hang, or a partly written
 * tree. Tests that depend on the process (memory, signals, pipes) run the built command, all others call `run`.
 */

/** The folder of the test that runs. */
export let cwd: string;
/** The folder of the built command, and the command. */
export let home: string;
export let program: string;

const newFolder = () => realpathSync(mkdtempSync(join(tmpdir(), 'weft-hostile-')));

/** Creates a folder for each test of the file. */
export function setUpFolder(): void {
  beforeEach(() => {
    cwd = newFolder();
  });
  afterEach(() => {
    rmSync(cwd, { recursive: true, force: true });
  });
}

/** Builds the command for the tests of the file. */
export function setUpCommand(): void {
  beforeAll(async () => {
    home = newFolder();
    program = join(home, 'bin/weft.cjs');
    await putCommand(home);
    writeFileSync(join(home, 'peak.cjs'), PEAK_PROGRAM);
    symlinkSync(join(__dirname, '../../node_modules'), join(home, 'node_modules'));
  }, 60_000);
  afterAll(() => {
    rmSync(home, { recursive: true });
  });
}

export type Files = Readonly<Record<string, string | Buffer>>;

export function put(files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
}

/** Runs a command in this process. */
export async function weft(...args: readonly string[]) {
  return runWeft(args, {
    cwd,
  });
}

export const codesIn = (stderr: string) => [
  ...new Set([...stderr.matchAll(/error\[(WEFT\d+)\]/g)].map(([, code]) => code)),
];

/** Expects exit code 2 with a reason, and no output on the disk. */
export function expectRefused({ exit, stdout, stderr }: { exit: number; stdout: string; stderr: string }): void {
  expect(stderr).not.toMatch(/bug of Weft|^ +at /m);
  expect(stderr).toMatch(/^error/m);

  expect(stderr).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(existsSync(join(cwd, 'dist'))).toBe(false);
}

export const CLUSTER = { 'clusters/east/cluster.yaml': PLAIN_CLUSTER };
export const policy = (spec: string) => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);
export const network = (name: string, spec = '{ipam: "{}"}') =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
export const configMap = (name: string, metadata = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${metadata}}\ndata: {a: b}\n`;
export const named = (name: string) => PLAIN_CLUSTER.replace('name: east', `name: ${name}`);

/**
 * Writes the peak of the resident memory in KiB. Linux counts the memory of the process before its exec, which is jest's,
 * in `maxRSS` too, so `VmHWM` is read if it exists.
 */
const PEAK_PROGRAM = `
  const fs = require('node:fs');
  const peak = () => {
    try {
      return /VmHWM:\\s*(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1];
    } catch {
      return String(process.resourceUsage().maxRSS);
    }
  };
  process.on('exit', () => fs.writeFileSync(process.env.PEAK, peak()));
`;

/** More than a busy machine needs. */
export const HANG_MS = 300_000;

/**
 * Runs the command in its own process; a hang is a failure. The process collects garbage in one thread: on a busy machine V8's other threads come late,
 * and the heap grows until then.
 */
export function spawnWeft(...args: readonly string[]) {
  const peak = join(cwd, 'peak');
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--single-threaded-gc', '--require', join(home, 'peak.cjs'), program, ...args],
    {
      cwd,
      encoding: 'utf8',
      timeout: HANG_MS,
      maxBuffer: 1 << 28,
      env: { ...process.env, PEAK: peak },
    },
  );
  const peakMebibytes = Number(readFileSync(peak, 'utf8')) / 1024;
  rmSync(peak);
  return { exit: status ?? -1, stderr, stdout, peakMebibytes };
}
