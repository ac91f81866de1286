import { afterAll, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterText, policyText } from '../../../test/golden/compile.js';
import { run } from '../run.js';

const root = mkdtempSync(join(tmpdir(), 'weft-explain-'));
mkdirSync(join(root, 'clusters/east'), { recursive: true });
const pool = (name: string, more: string) =>
  `    - {name: ${name}, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: ${name}}${more}}\n`;
writeFileSync(
  join(root, 'clusters/east/cluster.yaml'),
  [
    clusterText(
      `  release: v26.4\n  nodePools:\n${pool('a', '')}${pool('b', '')}${pool('c', ', taints: [{key: x, effect: NoSchedule}]')}`,
    ),
    policyText('NicClusterPolicy', 'nic-cluster-policy', '  secondaryNetwork: {multus: {}}\n'),
    policyText('NicNodePolicy', 'c', '  nodeSelector: {pool: c}\n  ofedDriver: {}\n  tolerations: [{key: x}]\n'),
  ].join('---\n'),
);
afterAll(() => rmSync(root, { recursive: true }));

async function weft(...args: readonly string[]) {
  const printed = { stdout: '', stderr: '' };
  const exit = await run(args, {
    stdout: (text) => void (printed.stdout += text),
    stderr: (text) => void (printed.stderr += text),
    readStdin: () => Promise.resolve(''),
    cwd: root,
    env: { NO_COLOR: '1' },
    isStdinTerminal: true,
    isStderrTerminal: false,
    readCompanionProgram: () => '',
  });
  return { exit, ...printed };
}

it('prints what each pool gets, and why not, pools that get the same once', async () => {
  const expected = `east:
  a, b:
    multus-cni   nvidia-network-operator/kube-multus-ds by NicClusterPolicy nic-cluster-policy
    ofed-driver  no pod: no policy with \`ofedDriver\` selects the pool
  c:
    multus-cni   no pod: NicClusterPolicy \`nic-cluster-policy\` does not tolerate \`x:NoSchedule\`
    ofed-driver  nvidia-network-operator/mofed-ubuntu24.04-6ffc8489f7-ds by NicNodePolicy c
`;
  const { exit, stdout, stderr } = await weft('explain', '--pools');
  expect({ exit, stdout: stdout.replace(/mofed-\S+-ds/, 'mofed-ubuntu24.04-6ffc8489f7-ds'), stderr }).toEqual({
    exit: 0,
    stdout: expected,
    stderr: '',
  });
  expect((await weft('explain', '--pools', 'clusters/east')).stdout).toBe(stdout);
});

it('prints it for programs', async () => {
  const { stdout } = await weft('explain', '--pools', '-o', 'json');
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    clusters: [{ cluster: 'east', coverage: [{ pool: 'a', program: 'multus-cni' }, {}, {}, {}, {}, {}] }],
  });
});

it.each([
  [['explain'], "error: missing required argument 'code-or-field'"],
  [['explain', 'WEFT0142', '--pools'], '`WEFT0142` is something else to explain'],
  [['explain', '--pools', 'nowhere'], 'the folder cannot be read'],
])('%j is refused', async (args, message) => {
  const { exit, stdout, stderr } = await weft(...args);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toContain(message);
});
