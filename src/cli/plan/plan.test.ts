import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OFED_DRIVER_LABEL } from '../../shared/contract/labels.js';
import { liveItems, writeInput } from '../../../test/plan/input-folder.js';
import type { UpgradePlan } from '../../forecast/plan/types.js';
import type { Timeline } from '../../forecast/page/types.js';
import { runWeft, withCluster } from '../../../test/kit/run-weft.js';
import { parseAt, parseDuration, parseFailure, parseSetting } from './parse.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-plan-'));
  writeInput(folder);
  writeFileSync(join(folder, 'nameless.json'), JSON.stringify({ items: [{ kind: 'Node', metadata: null }] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Gives the live cluster the same objects, by the paths of their lists, and others by their own paths. */
function putLive(others: Readonly<Record<string, object>>): void {
  const items = liveItems();
  const of = (kind: string) => ({
    metadata: { resourceVersion: '1' },
    items: items.filter((item) => item.kind === kind),
  });
  const lists = {
    '/api/v1/nodes': of('Node'),
    '/api/v1/pods': of('Pod'),
    '/apis/apps/v1/daemonsets': of('DaemonSet'),
    '/apis/apps/v1/controllerrevisions': of('ControllerRevision'),
    '/apis/apps/v1/replicasets': of('ReplicaSet'),
  };
  writeFileSync(join(folder, 'cluster.json'), JSON.stringify({ ...lists, ...others }));
}

async function weft(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const { stdout, stderr, exit } = await runWeft(['plan', ...args], {
    cwd: folder,
    env: withCluster(join(folder, 'cluster.json')),
  });
  return { code: exit, out: stdout, err: stderr };
}

const AT = ['--at', '2026-12-01T12:00:00Z'];

describe('weft plan', () => {
  it('plans the upgrade of a saved cluster, the same from whole objects and from what --save writes', async () => {
    const options = [...AT, '--runs', '1', '--format', 'json'];
    const first = await weft('east', '--snapshot', 'live.json', '--save', 'saved.json', ...options);
    const plan = JSON.parse(first.out) as UpgradePlan;
    expect([first.code, plan.nodes, plan.upgraded]).toEqual([0, 2, 2]);
    const saved = readFileSync(join(folder, 'saved.json'), 'utf8');
    expect(saved).not.toContain('secret');
    expect(saved).toContain(OFED_DRIVER_LABEL);
    expect(saved).not.toMatch(/"(?:env|args|command|image|managedFields)"/);
    expect((await weft('--snapshot', 'saved.json', ...options)).out).toBe(first.out);
    const piped = await runWeft(['plan', '--snapshot', '-', ...options], {
      ...{ cwd: folder, env: withCluster(), readStdin: () => Promise.resolve(saved) },
    });
    expect(piped.stdout).toBe(first.out);
  });

  it('takes the cheapest start, and says where there is only one', async () => {
    const { code, out } = await weft('east', '--snapshot', 'live.json', '--runs', '1', '--at', 'best');
    expect([code, out]).toEqual([0, expect.stringContaining('there is one start to choose: ')]);
  });

  it('saves neither through a symbolic link nor to a FIFO', async () => {
    symlinkSync('elsewhere', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    for (const [path, says] of [
      ['link', '`link` is a symbolic link'],
      ['fifo', 'it is not a regular file'],
    ] as const) {
      const { code, err } = await weft('east', '--snapshot', 'live.json', '--save', path, ...AT);
      expect([code, err]).toEqual([2, expect.stringContaining(`\`${path}\` cannot be written: ${says}`)]);
    }
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it('saves a cluster for its owner alone, also where a file is there', async () => {
    const options = ['east', '--snapshot', 'live.json', ...AT, '--runs', '1', '--save'];
    const path = join(folder, 'mode.json');
    writeFileSync(path, '', { mode: 0o644 });
    expect([(await weft(...options, 'mode.json')).code, statSync(path).mode & 0o777]).toEqual([0, 0o600]);
  });

  it('reads a pause by hand from the live cluster, keeps it with --save, and keeps nothing else of the object', async () => {
    const metadata = { name: 'weft-companion-status', namespace: 'nno' };
    const annotations = { 'weft.dev/paused': 'true', 'example.com/note': 'private' };
    const status = { metadata: { ...metadata, annotations }, data: { 'status.json': '{"private":true}' } };
    putLive({ [`/api/v1/namespaces/nno/configmaps/${metadata.name}`]: status });
    const options = [...AT, '--runs', '1'];
    const live = await weft('east', '--save', 'paused.json', ...options);
    const line =
      'stuck: pause: the companion is paused by hand: no node begins until `weft upgrade resume` (node-0000, node-0001)';
    expect([live.code, live.out.includes(line), live.err]).toEqual([0, true, '']);
    expect(readFileSync(join(folder, 'paused.json'), 'utf8')).not.toContain('private');
    expect((await weft('east', '--snapshot', 'paused.json', ...options)).out).toBe(live.out);
  });

  it('draws a timeline, whose data are those of the plan', async () => {
    const { code, out } = await weft('east', '--snapshot', 'live.json', ...AT, '--runs', '1', '--format', 'html');
    const data = /<script type="application\/json" id="data">(.*)<\/script>/.exec(out)?.[1] ?? '{}';
    const { title, rows } = JSON.parse(data) as Timeline;
    expect([code, title, rows.map(({ node, outcome }) => [node, outcome])]).toEqual([
      0,
      'Planned upgrade of east',
      [
        ['node-0000', 'upgraded'],
        ['node-0001', 'upgraded'],
      ],
    ]);
    expect(rows[1]?.segments.map(({ phase }) => phase)).toEqual(['pending', 'drain', 'restart']);
  });

  it('says that it does not know of a pause where the status may not be read, and nothing where there is none', async () => {
    const path = '/api/v1/namespaces/nno/configmaps/weft-companion-status';
    const options = ['east', ...AT, '--runs', '1'];
    putLive({});
    expect((await weft(...options)).out).not.toContain('pause');
    const message = 'configmaps "weft-companion-status" is forbidden: User "a" cannot get resource "configmaps"';
    putLive({ [path]: { kind: 'Status', code: 403, reason: 'Forbidden', message } });
    const forbidden = await weft(...options);
    expect([forbidden.code, forbidden.out.includes('not simulated:\n  a pause by hand: ')]).toEqual([0, true]);
  });

  it('plans what a revision has in dist/, whatever the input is now', async () => {
    const root = mkdtempSync(join(tmpdir(), 'weft-plan-from-'));
    try {
      writeInput(root);
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });
      const run = (...args: readonly string[]) => runWeft(args, { cwd: root, env: withCluster() });
      expect(await run('synth')).toMatchObject({ exit: 0 });
      git('init', '-q');
      git('add', '-A');
      git('commit', '-qm', 'first');
      const options = ['plan', 'east', '--snapshot', 'live.json', ...AT, '--runs', '1'];
      const first = await run(...options);
      expect(first).toMatchObject({ exit: 0, stdout: expect.stringContaining('2 nodes in 2 waves') });
      const policy = join(root, 'clusters/east/policy.yaml');
      writeFileSync(policy, readFileSync(policy, 'utf8').replace('maxParallelUpgrades: 1', 'maxParallelUpgrades: 2'));
      expect((await run(...options)).stdout).toContain('2 nodes in 1 wave');
      expect((await run(...options, '--from', 'HEAD')).stdout).toBe(first.stdout);
      const missing = await run(...options, '--from', 'HEAD', '--output-dir', 'elsewhere');
      expect(missing).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('has no output of the cluster `east`'),
      });
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('fails with --fail-on window where a node does not begin in the window of the first one', async () => {
    const windows = (duration: string) =>
      `upgrade.maintenanceWindows=[{"schedule":"0 14 * * *","duration":"${duration}"}]`;
    const options = ['east', '--snapshot', 'live.json', ...AT, '--runs', '1', '--duration', 'driver=20m'];
    // The second node begins after twenty minutes. That it ends after the window does not matter.
    const short = await weft(...options, '--fail-on', 'window', '--set', windows('10m'));
    expect([short.code, short.out.includes('1 of 2 nodes do not begin before the window')]).toEqual([1, true]);
    expect((await weft(...options, '--fail-on', 'window', '--set', windows('30m'))).code).toBe(0);
    expect((await weft(...options, '--set', windows('10m'))).code).toBe(0);
  });

  it('takes other settings, and fails for what --fail-on names', async () => {
    const options = ['east', '--snapshot', 'live.json', ...AT, '--runs', '1', '--duration', 'driver=20m'];
    const one = await weft(...options, '--fail-on', 'duration=30m');
    expect([one.code, one.err]).toEqual([1, '']);
    expect(one.out).toContain('2 nodes in 2 waves');
    const setting = 'NicClusterPolicy.ofedDriver.upgradePolicy.maxParallelUpgrades=2';
    const both = await weft(...options, '--fail-on', 'stuck,duration=30m', '--set', setting);
    expect(both.code).toBe(0);
    expect(both.out).toContain('driver 20m (given)');
    expect((await weft(...options, '--format', 'markdown')).out).toContain('### Upgrade of `east`');
  });

  it.each([
    [['west', '--snapshot', 'live.json'], 'no cluster is named `west`'],
    [['east', '--snapshot', 'none.json'], 'it does not exist'],
    [['east', '--snapshot', 'clusters/east/policy.yaml'], 'it is no JSON'],
    [['east', '--snapshot', 'nameless.json'], '`items[0].metadata.name` is no text'],
    [['east', '--snapshot', 'live.json', '--set', 'NicNodePolicy.ofedDriver=1'], 'the folder has none'],
    [
      ['east', '--snapshot', 'live.json', '--set', 'NicClusterPolicy.ofedDriver.upgradePolicy.autoUpgrade=false'],
      'nothing upgrades drivers',
    ],
    [
      [
        ...[
          'east',
          '--snapshot',
          'live.json',
          '--set',
          'upgrade.maintenanceWindows=[{"schedule":"0 22 * * 5","duration":"6h"}]',
        ],
        ...['--set', 'upgrade.maintenanceWindows.3.duration=1h'],
      ],
      '`upgrade.maintenanceWindows` has 1 item, and none with the index 3',
    ],
    [
      ['east', '--snapshot', 'live.json', '--set', 'upgrade.cannary.nodes=2'],
      '`spec.upgrade` has no key `cannary`\n --> --set upgrade.cannary.nodes=2\n',
    ],
    [['east', '--snapshot', 'live.json', '--from', 'main'], 'git'],
    [['east', '--snapshot', 'live.json', '--fail-on', 'drain'], 'Allowed are stuck'],
    [['east', '--kubectl', '/nowhere/kubectl'], 'WEFT0390'],
  ])('refuses %j', async (args, message) => {
    const { code, out, err } = await weft(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});

describe('options of weft plan', () => {
  it.each([
    ['2026-12-04 22:00 Europe/Oslo', '2026-12-04T21:00:00.000Z'],
    ['2026-07-04 22:00 Europe/Oslo', '2026-07-04T20:00:00.000Z'],
    ['2026-12-04T22:00:00Z', '2026-12-04T22:00:00.000Z'],
    ['2026-12-04T22:00+02:00', '2026-12-04T20:00:00.000Z'],
    ['2026-12-04 22:00 UTC', '2026-12-04T22:00:00.000Z'],
    ['2028-02-29T22:00:01.5Z', '2028-02-29T22:00:01.500Z'],
  ])('--at "%s"', (text, expected) => expect(parseAt(text).toISOString()).toBe(expected));

  it.each([
    ...['2026-12-04 22:00', 'tomorrow', '2026-12-04 22:00 Nowhere/Land', '2026-13-45 22:00 Europe/Oslo'],
    ...['2026-02-31T22:00:00Z', '2026-02-29T22:00:00.5+02:00', '2026-12-04 29:99 Europe/Oslo', '2026-12-04 24:00 UTC'],
  ])('--at "%s" is refused', (text) => expect(() => parseAt(text)).toThrow('a time with its zone'));

  it('--duration', () => {
    const first = parseDuration('driver=4m..9m');
    expect(parseDuration('job=1h', first)).toEqual({ driver: { from: 240, to: 540 }, job: { from: 3600, to: 3600 } });
    for (const text of ['driver', 'drivers=4m', 'driver=9m..4m'])
      expect(() => parseDuration(text)).toThrow('name=from..to');
  });

  it('--set and --fail-on', () => {
    const text = 'upgrade.canary={"nodes":2}';
    expect(parseSetting(text)).toEqual([{ kind: 'Cluster', path: ['upgrade', 'canary'], value: { nodes: 2 }, text }]);
    expect(() => parseSetting('upgrade')).toThrow('path=value');
    expect(parseFailure('stuck,duration=6h')).toEqual([{ kind: 'stuck' }, { kind: 'duration', seconds: 21_600 }]);
  });
});
