import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWeft, withCluster } from '../../../../test/kit/run-weft.js';
import { AT, fleetOf } from '../../../../test/plan/fleet.js';
import { loggedRun, type LoggedRun } from '../../../../test/plan/logged-run.js';
import { eventReason, EVENT_ROWS_ANNOTATION } from '../../../contract/labels.js';
import { planUpgrade } from '../../../plan/plan-upgrade.js';
import type { Timeline } from '../../../timeline/types.js';
import type { UpgradeReport } from '../../../upgrade-report/types.js';

let folder = '';
const fleet = fleetOf({ nodes: 3 });
const OPTIONS = { at: AT, runs: 1 };
let logged: LoggedRun;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-report-'));
  logged = loggedRun(fleet, OPTIONS);
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('upgrade.log', logged.log);
  write('plan.json', JSON.stringify(planUpgrade(fleet.objects, fleet.snapshot, OPTIONS)));
  write('cluster.json', JSON.stringify(liveCluster(logged)));
  write('forgotten.json', JSON.stringify({ ...liveCluster(logged), [EVENTS]: list([]) }));
});
afterAll(() => rmSync(folder, { recursive: true }));

const EVENTS = '/api/v1/namespaces/default/events';
const list = (items: readonly object[]) => ({ metadata: { resourceVersion: '1' }, items });

/** What the cluster remembers of the run. */
function liveCluster({ events, nodes }: LoggedRun): Readonly<Record<string, object>> {
  const policy = fleet.objects.find(({ kind }) => kind === 'ConfigMap');
  return {
    '/api/v1/nodes': list(
      nodes.map(({ name, labels, annotations }) => ({
        metadata: { name, uid: `uid-${name}`, resourceVersion: '1', labels, annotations },
        ...{ spec: {}, status: {} },
      })),
    ),
    '/api/v1/namespaces/nno/configmaps/weft-companion-policy': policy ?? {},
    [EVENTS]: list(
      events.map(({ node, atMs, message }, index) => ({
        metadata: { name: `event-${index}`, annotations: { [EVENT_ROWS_ANNOTATION]: '' } },
        involvedObject: { kind: 'Node', name: node },
        ...{ reason: eventReason('ofed'), message, lastTimestamp: new Date(atMs).toISOString(), count: 1 },
      })),
    ),
  };
}

async function weft(args: string, more: { readonly stdin?: string; readonly cluster?: string } = {}) {
  return runWeft(['upgrade', 'report', ...args.split(' ').filter((one) => one !== '')], {
    cwd: folder,
    env: withCluster(join(folder, more.cluster ?? 'cluster.json')),
    readStdin: () => Promise.resolve(more.stdin ?? ''),
  });
}

describe('weft upgrade report', () => {
  it('reads a log, and has the plan beside it', async () => {
    const { exit, stdout } = await weft('--log upgrade.log --plan plan.json');
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /^took \d+m\w*; from 2026-12-01 12:00Z to .*\n3 nodes upgraded in 2 waves, 12 pods evicted\nplanned: /,
    );
    expect(stdout).toMatch(/\nnode-0000 +1 .* upgraded +2 +-\n/);
    expect((await weft('--log - --plan plan.json', { stdin: logged.log })).stdout).toBe(stdout);
  });

  it('prints each format', async () => {
    const json = JSON.parse((await weft('--log upgrade.log --format json')).stdout) as UpgradeReport;
    expect([json.nodes, json.upgraded, json.planned]).toEqual([3, 3, null]);
    expect((await weft('--log upgrade.log --format markdown')).stdout).toContain('| `node-0002` | ');
    const html = (await weft('--log upgrade.log --plan plan.json --format html')).stdout;
    const data = /<script type="application\/json" id="data">(.*)<\/script>/.exec(html)?.[1] ?? '{}';
    const { rows, nodesAtOnce } = JSON.parse(data) as Timeline;
    expect([rows.length, nodesAtOnce, rows[0]?.planned !== undefined]).toEqual([3, 2, true]);
  });

  it('reports the same times from the Events of the live cluster', async () => {
    const read = async (args: string): Promise<UpgradeReport> => JSON.parse((await weft(args)).stdout) as UpgradeReport;
    const [live, log] = [await read('--namespace nno --format json'), await read('--log upgrade.log --format json')];
    const times = ({ nodeReports }: UpgradeReport) =>
      nodeReports.map(({ node, outcome, wave, beginsAt, endsAt }) => ({ node, outcome, wave, beginsAt, endsAt }));
    expect(times(live)).toEqual(times(log));
  });

  it('knows from annotations when nodes were done, after the Events are gone', async () => {
    const { stdout } = await weft('--namespace nno --format json', { cluster: 'forgotten.json' });
    const { nodeReports } = JSON.parse(stdout) as UpgradeReport;
    expect(nodeReports.map(({ outcome, endsAt }) => [outcome, endsAt !== null])).toEqual([
      ['upgraded', true],
      ['upgraded', true],
      ['upgraded', true],
    ]);
  });

  it('ends with 10 where nodes failed', async () => {
    const failed = logged.log.replaceAll('"to":"upgrade-done"', '"to":"upgrade-failed"');
    expect((await weft('--log -', { stdin: failed })).exit).toBe(10);
  });

  it.each([
    ['--log none.log', 'it does not exist'],
    ['--log plan.json', "has no line of the companion's log"],
    ['--log upgrade.log --plan upgrade.log', 'is no plan'],
    ['--kubectl /nowhere/kubectl', 'WEFT0390'],
  ])('refuses %s', async (args, message) => {
    const { exit, stdout, stderr } = await weft(args);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
