import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runWeft } from '../../../test/kit/run-weft.js';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-ignores-')));
  put('base/common/cluster.yaml', BASE);
  for (const name of ['east', 'west']) putCluster(name);
});
afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A policy that selects nodes, for which only some clusters have a pool. */
const BASE = `apiVersion: weft.dev/v1alpha1
kind: ClusterBase
metadata: {name: common}
spec: {release: v26.4, existingConfigMaps: [{name: rdma-devices-h100, keys: [config.json]}]}
---
apiVersion: mellanox.com/v1alpha1
kind: NicNodePolicy
metadata: {name: h100}
spec:
  # weft-ignore WEFT0234: the nodes come in May
  nodeSelector: {pool: h100}
  rdmaSharedDevicePlugin: {}
`;
const putCluster = (name: string, { pool = 'h100', spec = '' } = {}) =>
  put(
    `clusters/${name}/cluster.yaml`,
    `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: ${name}}
spec:
  extends: [../../base/common]
  nodePools:
    - {name: w, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-31-generic, labels: {pool: ${pool}}}
${spec}`,
  );
const weft = (...args: readonly string[]) => runWeft(args, { cwd: root });
const shown =
  /warning\[WEFT0033\]: there is no warning `WEFT0234` to silence on line 11, in any cluster that inherits it/g;

describe('a comment in a base', () => {
  it('that silences nothing in any cluster is reported once, by synth and by diff', async () => {
    for (const args of [['synth'], ['diff']]) {
      const { stderr } = await weft(...args);
      expect(stderr.match(shown)).toHaveLength(1);
      expect(stderr).toContain('base/common/cluster.yaml:10');
    }
  });

  it('stops a gate that denies warnings, also by the setting of one cluster', async () => {
    await weft('synth');
    const refused = {
      exit: 2,
      stderr: expect.stringMatching(/(?:^|\n)error\[WEFT0033\][^]*\n1 error(?:;|\n)/) as unknown,
    };
    expect(await weft('diff', '--deny-warnings')).toMatchObject(refused);
    expect(await weft('synth', '--check', '--deny-warnings')).toMatchObject(refused);
    putCluster('west', { spec: '  denyWarnings: [WEFT0033]\n' });
    expect(await weft('synth', '--check')).toMatchObject(refused);
  });

  it('is of use where one cluster needs it', async () => {
    putCluster('west', { pool: 'other' });
    expect((await weft('synth')).stderr).not.toContain('WEFT0');
  });

  it('may be of use in clusters that are not asked for, have errors or are left behind', async () => {
    expect((await weft('synth', 'clusters/east')).stderr).not.toContain('WEFT0033');
    putCluster('west', { spec: '  nonsense: 1\n' });
    expect((await weft('synth')).stderr).not.toContain('WEFT0033');
    putCluster('west', { spec: '  weft: "0.3"\n' });
    const { stderr } = await runWeft(['synth'], { cwd: root, version: '0.4.0' });
    expect(stderr).not.toContain('WEFT0033');
  });
});
