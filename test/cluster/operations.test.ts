import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMPANION_COMPONENT, COMPANION_NAMES, COMPONENT_LABEL } from '../../src/shared/contract/labels.js';
import type { LiveObject } from './bed/api-client.js';
import { applyAll } from './bed/apply-set.js';
import { NAMESPACE } from './simulated/fleet.js';
import { until } from './bed/guarded-process.js';
import { binaries } from './bed/test-bed.js';
import { startUpgradeBed, type UpgradeBed } from './upgrade-bed/upgrade-bed.js';
import { weftIn } from './bed/weft-command.js';

/** Each command of these guides, in their order, on a cluster where a Job of the companion has run. */
const PAGES = ['docs/guide/alerts.md', 'docs/guide/day-two.md', 'docs/guide/when-it-breaks.md'];

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

/** The words of a line without a comment and without the quotes of the shell, and the file that it writes. */
function parsed(line: string): { readonly words: readonly string[]; readonly file?: string } {
  const [command = '', file] = line.replace(/ +#.*$/, '').split(' > ');
  return { words: command.split(/\s+/).map((word) => word.replace(/^'(.*)'$/, '$1')), ...(file && { file }) };
}

describe('the commands of the guides', () => {
  it('are found', () => {
    expect(new Set(commands.map(({ page }) => page))).toEqual(new Set(PAGES));
  });

  it.each(commands)('$line', async ({ line }) => {
    const { words, file } = parsed(line);
    const [program, ...args] = words;
    if (program === 'kubectl') {
      const env = { ...process.env, KUBECONFIG: bed.controlPlane.kubeconfig };
      await promisify(execFile)(join(binaries().controlplane, 'kubectl'), args, { env });
      return;
    }
    expect(program).toBe('weft');
    const { exit, stdout, stderr } = await weftIn(bed.controlPlane, ...args);
    if (file !== undefined) writeFileSync(join(bed.controlPlane.folder, file), stdout);
    if (args[1] === 'logs') {
      const isJson = args.includes('-o');
      expect(exit).toBe(0);
      expect(stderr).toMatch(isJson ? /^$/ : /^pod weft-companion-\S+\n$/);
      expect(stdout).toMatch(isJson ? /^\{/ : /^\d\d:\d\d/);
      return;
    }
    expect({ exit, stderr: exit < 2 ? '' : stderr }).toEqual({ exit: expect.any(Number), stderr: '' });
  });

  it('weft upgrade retry, where a Job has failed', async () => {
    const { client } = bed.controlPlane;
    const job = failingJob();
    expect((await applyAll(client, [job])).problems).toEqual([]);
    await until('the Job has failed', async () => {
      const { conditions = [] } = ((await client.get(job))?.['status'] ?? {}) as {
        conditions?: readonly { type: string }[];
      };
      return conditions.some(({ type }) => type === 'Failed') ? true : undefined;
    });
    const logs = await weftIn(bed.controlPlane, 'upgrade', 'logs');
    expect(logs).toMatchObject({
      exit: 0,
      stdout: 'no policy\n',
      stderr: expect.stringContaining(`pod ${job.metadata.name}-`),
    });

    const { exit, stdout } = await weftIn(bed.controlPlane, 'upgrade', 'retry');
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: expect.stringMatching(/Job weft-companion-broken: deleted: /),
    });
    await until('the Job and its pods are gone', async () => {
      const pods = await client.list(`/api/v1/namespaces/${NAMESPACE}/pods`);
      const isGone = (await client.get(job)) === undefined;
      return isGone && pods.every(({ metadata }) => !metadata.name.startsWith(job.metadata.name)) ? true : undefined;
    });
  });
});

/** A Job of the companion whose program ends with an error. */
function failingJob(): LiveObject {
  const labels = { [COMPONENT_LABEL]: COMPANION_COMPONENT };
  const container = {
    name: COMPANION_COMPONENT,
    image: 'registry.example.com/node:1',
    command: ['node', '-e', 'console.log("no policy"); process.exit(2)'],
  };
  const spec = { serviceAccountName: COMPANION_NAMES.account, restartPolicy: 'Never', containers: [container] };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'weft-companion-broken', namespace: NAMESPACE, labels },
    spec: { backoffLimit: 0, template: { metadata: { labels }, spec } },
  };
}
