import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyAll } from './apply-set.js';
import { NAMESPACE } from './fleet.js';
import { until } from './guarded-process.js';
import { binaries } from './test-bed.js';
import { startUpgradeBed, type UpgradeBed } from './upgrade-bed.js';
import { weftIn } from './weft-command.js';

/** Each command of the guides for the second day, in their order, on a cluster where a Job of the companion has run. */
const PAGES = ['docs/guide/alerts.md', 'docs/guide/operations.md'];

interface Command {
  readonly page: string;
  readonly line: string;
}

const commands = PAGES.flatMap((page): readonly Command[] => {
  const blocks = readFileSync(page, 'utf8').matchAll(/^ *```sh\n([^]*?)^ *```$/gm);
  return [...blocks].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => ({ page, line })),
  );
});

let bed: UpgradeBed;
beforeAll(async () => {
  bed = await startUpgradeBed('operations', {
    nodes: 3,
    podsPerNode: 1,
    upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: 3, drain: { enable: true, deleteEmptyDir: true } },
    companion: { schedule: '' },
    runsJobs: true,
  });
  await bed.nextVersion();
  await until(
    'the Job has upgraded the nodes',
    async () => ((await bed.behind()).length === 0 ? true : undefined),
    240,
  );
  const labels = { app: 'operator' };
  const container = { name: 'operator', image: 'registry.example.com/operator:1' };
  const operator = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'network-operator', namespace: NAMESPACE },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
  expect((await applyAll(bed.controlPlane.client, [operator])).problems).toEqual([]);
});
afterAll(() => bed.stop());

/** Quotes are the shell's. */
const wordsOf = (line: string) => line.split(/\s+/).map((word) => word.replace(/^'(.*)'$/, '$1'));

describe('the commands of the guides', () => {
  it('are found', () => {
    expect(new Set(commands.map(({ page }) => page))).toEqual(new Set(PAGES));
  });

  it.each(commands)('$line', async ({ line }) => {
    const [program, ...args] = wordsOf(line);
    if (program === 'kubectl') {
      const env = { ...process.env, KUBECONFIG: bed.controlPlane.kubeconfig };
      await promisify(execFile)(join(binaries().controlplane, 'kubectl'), args, { env });
      return;
    }
    expect(program).toBe('weft');
    // No companion runs and nothing fails: a log may not be kept by what stands for a kubelet.
    const { exit, stderr } = await weftIn(bed.controlPlane, ...args);
    const isLog = args[1] === 'logs';
    expect(isLog ? stderr : '').toMatch(isLog ? /^pod weft-companion-/m : /^$/);
    if (!isLog) expect({ exit, stderr: exit < 2 ? '' : stderr }).toEqual({ exit: expect.any(Number), stderr: '' });
  });
});
