import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildBinaries, findGo } from './bed/binaries.js';
import { report } from './bed/report.js';
import { nodeObstacle } from './node-bed/obstacle.js';

/**
 * `npm run test:cluster [-- [--full] <arguments of jest>]`: tests against a real control plane. Without `--full` the companion's
 * tests are a share of what they can be. With `--build-only` it only builds the programs that are missing.
 *
 * WEFT_SEED repeats a run's random delays. Logs, the audit log and the seed are in one folder, which stays after a failure.
 */
const HERE = resolve('test/cluster');

async function main(): Promise<number> {
  const go = findGo();
  if (go === undefined) {
    report('SKIPPED: THERE IS NO `go` ON THIS MACHINE, SO THERE IS NO CONTROL PLANE AND NOTHING WAS TESTED');
    report('help: install Go 1.26 or newer from https://go.dev/dl');
    return 0;
  }
  const begin = Date.now();
  const obstacle = nodeObstacle();
  if (obstacle !== undefined) {
    report(`SKIPPED: NO NODE CAN RUN HERE, SO NO TEST OF A REAL NODE RUNS: ${obstacle}`);
    report('help: as root on Linux, apt-get install busybox-static containerd iproute2 runc');
  }
  const binaries = await buildBinaries(go, HERE, obstacle === undefined);
  if (process.argv.includes('--build-only')) return 0;
  const folder = mkdtempSync(join(tmpdir(), 'weft-cluster-'));
  const seed = process.env['WEFT_SEED'] ?? String(begin % 1_000_000);
  writeFileSync(join(folder, 'seed'), `${seed}\n`);
  report(`seed ${seed}; logs in ${folder}`);
  const status = await runJest({
    WEFT_SEED: seed,
    WEFT_CLUSTER_FOLDER: folder,
    WEFT_CLUSTER_BINARIES: JSON.stringify(binaries),
  });
  const seconds = Math.round((Date.now() - begin) / 1000);
  if (status === 0) {
    rmSync(folder, { recursive: true, force: true });
    report(`passed in ${seconds} s`);
  } else {
    report(
      `FAILED after ${seconds} s: logs, audit log and seed are in ${folder}; WEFT_SEED=${seed} repeats the delays`,
    );
  }
  return status;
}

function runJest(environment: Readonly<Record<string, string>>): Promise<number> {
  // A run of these tests alone then has no test, which is not a failure.
  const ignored =
    nodeObstacle() === undefined ? [] : ['--testPathIgnorePatterns', '/test/cluster/node/', '--passWithNoTests'];
  const args = ['node_modules/jest/bin/jest.js', '--config', join(HERE, 'jest.config.mjs'), '--runInBand', '--verbose'];
  return new Promise((done) => {
    const given = process.argv.slice(2);
    const full = given.includes('--full') ? { WEFT_FULL: 'true' } : {};
    const forJest = given.filter((one) => one !== '--full');
    const child = spawn(process.execPath, [...args, ...forJest, ...ignored], {
      env: { ...process.env, ...environment, ...full },
      stdio: 'inherit',
    });
    // Ctrl-C reaches jest too; what it started ends with it. This process stays to print where the logs are.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
    child.once('exit', (code) => done(code ?? 1));
  });
}

void main().then((status) => {
  process.exitCode = status;
});
