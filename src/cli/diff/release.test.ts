import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runWeft } from '../../../test/kit/run-weft.js';

const IMAGE = 'repository: nvcr.io/nvidia/mellanox';
const DRIVER = `ofedDriver: {image: doca-driver, ${IMAGE}, version: doca3.4.1-26.04-1.1.0.0-1, upgradePolicy: {autoUpgrade: true, drain: {enable: true}}}`;
const PLUGIN = `rdmaSharedDevicePlugin: {image: k8s-rdma-shared-dev-plugin, ${IMAGE}, version: network-operator-v26.4.1}`;

const policies = ['gpu', 'cpu']
  .map(
    (name) => `apiVersion: mellanox.com/v1alpha1
kind: NicNodePolicy
metadata: {name: ${name}}
spec:
  nodeSelector: {pool: ${name}}
  ${DRIVER}
  ${PLUGIN}
`,
  )
  .join('---\n');

const cluster = (release: string) => `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec:
  ${release}
  kubernetesVersion: "1.34"
  nodePools:
    - {name: a, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-31-generic, labels: {pool: gpu}}
    - {name: b, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-31-generic, labels: {pool: cpu}}
`;

const RENAMED =
  'from release v26.10 on DaemonSets of a NicNodePolicy (driver, RDMA and SR-IOV device plugin) have a hash of its name in theirs: ' +
  '4 DaemonSets are replaced, 2 of them for drivers, whose nodes are drained; `postponedChanges: [hashed-policy-names]` in the Cluster ' +
  'leaves them as they are until a maintenance comes anyway';

const DRIVER_TAG = '`doca-driver:doca3.4.1-26.04-1.1.0.0-1-ubuntu24.04-amd64`';
const PLUGIN_TAG = '`k8s-rdma-shared-dev-plugin:network-operator-v26.4.1`';
const filledBy = (release: string) =>
  `; without \`image\`, \`repository\` and \`version\` in a section release ${release} fills them`;
/** Of a release whose catalog has both images, and of one that has no driver. */
const KEPT = `2 images stay, because the input names them: ${DRIVER_TAG}, ${PLUGIN_TAG}${filledBy('v26.7')}`;
const KEPT_PLUGIN = `1 image stays, because the input names it: ${PLUGIN_TAG}${filledBy('v26.10')}`;

describe('weft diff of another release', () => {
  let root = '';
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-diff-release-')));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** What a change of the lines of a Cluster prints. */
  async function changed(from: string, to: string, toPolicies = policies, fromPolicies = policies) {
    const put = (release: string, documents = policies) => {
      const path = join(root, 'clusters/east/cluster.yaml');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, cluster(release));
      writeFileSync(join(root, 'clusters/east/policy.yaml'), documents);
    };
    put(from, fromPolicies);
    expect(await runWeft(['synth'], { cwd: root })).toMatchObject({ exit: 0 });
    put(to, toPolicies);
    const { stdout } = await runWeft(['diff', 'dist', '--format', 'json'], { cwd: root });
    const { clusters = [] } = JSON.parse(stdout) as {
      clusters?: readonly {
        notes: readonly string[];
        nodes: readonly { step: string }[];
        objects: readonly { impact: string; notes: readonly string[] }[];
        restarts: readonly unknown[];
      }[];
    };
    const of = <Value>(value: (one: (typeof clusters)[number]) => readonly Value[]) => clusters.flatMap(value);
    return {
      notes: of(({ notes }) => notes),
      steps: of(({ nodes }) => nodes.map(({ step }) => step)),
      restarts: of((one) => one.restarts),
      objects: of(({ objects }) => objects.map(({ impact, notes: texts }) => ({ impact, notes: texts }))),
    };
  }

  it('drains no node for the init container of drivers, which is an image of the release', async () => {
    const { notes, steps, objects } = await changed('release: v26.4.1', 'release: v26.7');
    const kept = {
      impact: 'restart',
      notes: [
        'its pods stay as they are (`OnDelete`); the change shows when one is made anew',
        'installs the same: no node is drained for it',
      ],
    };
    expect({ notes, steps, objects }).toEqual({ notes: [KEPT], steps: [], objects: [kept, kept] });
  });

  it('drains no node for a mirror, and says why for a registry of the policy', async () => {
    const mirrors = 'release: v26.7\n  mirrors: [{from: nvcr.io, to: harbor.corp}]';
    const { steps, objects } = await changed('release: v26.7', mirrors);
    expect(steps).toEqual([]);
    expect(objects.filter(({ notes }) => notes.includes('installs the same: no node is drained for it'))).toHaveLength(
      2,
    );
    const other = policies.replaceAll(IMAGE, 'repository: harbor.corp/nvidia/mellanox');
    const back = await changed('release: v26.7', mirrors, policies, other);
    expect(back.steps).toContain('drained');
    expect(back.objects.flatMap(({ notes }) => notes)).toContainEqual(
      expect.stringMatching(
        /^before, `repository` named the registry .* keep `repository` until the nodes are drained/,
      ),
    );
    const moved = await changed('release: v26.7', 'release: v26.7', other);
    expect(moved.steps).toContain('drained');
    expect(moved.objects.flatMap(({ notes }) => notes)).toContainEqual(
      expect.stringMatching(/^the same tag in another registry counts as another driver/),
    );
  });

  it('says why nodes are drained', async () => {
    const { notes, steps } = await changed('release: v26.7', 'release: v26.10');
    expect(notes).toEqual([RENAMED, KEPT_PLUGIN]);
    expect(steps).toContain('drained');
  });

  it('says it of a postponed change that comes, and of one that goes', async () => {
    const postponed = `release: v26.10\n  postponedChanges: [hashed-policy-names]`;
    expect(await changed(`release: v26.7`, postponed)).toMatchObject({ notes: [KEPT_PLUGIN], steps: [] });
    expect((await changed(postponed, 'release: v26.10')).notes).toEqual([RENAMED]);
    expect((await changed('release: v26.10', 'release: v26.7')).notes).toEqual([
      expect.stringMatching(
        /^without the change `hashed-policy-names` of release v26\.10 .*: 4 DaemonSets are replaced/,
      ),
      KEPT,
    ]);
  });

  it('says it of a live cluster, whose release is not known', async () => {
    await changed('release: v26.7', 'release: v26.7');
    const { stdout: live } = await runWeft(['synth', '-o', 'json', 'clusters/east'], { cwd: root });
    writeFileSync(join(root, 'clusters/east/cluster.yaml'), cluster('release: v26.10'));
    const { stdout } = await runWeft(['diff', '-'], { cwd: root, readStdin: () => Promise.resolve(live) });
    expect(stdout).toContain(`\n  ${RENAMED}`);
  });
});
