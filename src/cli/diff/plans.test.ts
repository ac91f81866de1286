import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liveItems, writeInput } from '../../../test/plan/input-folder.js';
import { runWeft } from '../../../test/kit/run-weft.js';

let root = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-diff-plan-')));
  for (const name of ['east', 'west']) writeInput(root, name);
  mkdirSync(join(root, 'snapshots'));
  mkdirSync(join(root, 'before'));
  cpSync(join(root, 'live.json'), join(root, 'snapshots/east.json'));
  const budget = { metadata: { name: 'app-0', namespace: 'apps' } };
  const spec = { selector: { matchLabels: { app: 'app-0' } }, maxUnavailable: 0 };
  const items = [...liveItems(), { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', ...budget, spec }];
  writeFileSync(join(root, 'blocked.json'), JSON.stringify({ kind: 'List', items }));
});
afterAll(() => rmSync(root, { recursive: true }));

const diff = (args: string) => weft(`diff before ${args}`);

async function weft(args: string) {
  return runWeft(args.split(' '), {
    ...{ cwd: root, env: { PATH: process.env['PATH'] } },
  });
}

const EAST = '--folder clusters/east';

describe('weft diff --plan', () => {
  it('adds how the upgrade goes, in text', async () => {
    const { exit, stdout } = await diff(`${EAST} --plan --snapshot live.json`);
    expect(exit).toBe(1);
    expect(stdout).toMatch(
      /\neast: the upgrade that this starts\n  costs [\d.]+ node-hours, GPU-hours are not known; .*\n  takes \w+; from .*\n  half of 10 runs take at most \w+, nine of ten \w+\n  2 nodes in 2 waves, \d+ pods evicted\n$/,
    );
  });

  it('names what is in the way in the comment, before the fields', async () => {
    const { stdout } = await diff(`${EAST} --plan --snapshot blocked.json --format markdown`);
    expect(stdout).toMatch(
      /^### Weft: .*\n\n- `east`: the upgrade costs `?[\d.]+`? node-hours, GPU-hours are not known; /,
    );
    const [head = '', details] = stdout.split('<details>', 2);
    expect(head).toContain('#### Upgrade of `east`');
    expect(head).toContain('2 nodes do not come through');
    expect(head).toContain('PodDisruptionBudget `apps/app-0`');
    expect(details).toBeDefined();
  });

  it('takes a snapshot for each cluster from a folder, and says where there is none', async () => {
    const { stdout } = await diff('--plan --snapshot snapshots --format markdown');
    expect(stdout).toContain('#### Upgrade of `east`');
    expect(stdout).toContain('- `west`: no plan: `snapshots/west.json` is no snapshot of a cluster: it does not exist');
  });

  it('says so where the cluster is out of reach', async () => {
    const { exit, stdout } = await diff(`${EAST} --plan --kubectl /nowhere/kubectl`);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/\neast: no plan: .*kubectl/);
  });

  it('plans nothing where nothing differs', async () => {
    await weft('synth');
    expect(await weft('diff dist --plan --snapshot none.json')).toMatchObject({ exit: 0, stdout: '' });
  });

  it.each([
    [`${EAST} --plan --snapshot none.json`, 'it does not exist'],
    ['--plan --snapshot live.json', 'is one cluster, and 2 are rendered'],
    ['--plan', 'is one cluster, and 2 are rendered'],
    [`${EAST} --plan --snapshot live.json --format json`, '`weft plan --format json`'],
    [`${EAST} --snapshot live.json`, 'add `--plan`'],
  ])('refuses %s', async (args, message) => {
    const { exit, stdout, stderr } = await diff(args);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
