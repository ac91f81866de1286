import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { clusterText, policyText } from '../../../test/golden/compile.js';
import { runWeft } from '../../../test/kit/run-weft.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-images-')));
afterAll(() => rmSync(root, { recursive: true }));

const pool = (name: string, arch: string) =>
  `    - {name: ${name}, osName: ubuntu, osVersion: "24.04", arch: ${arch}, kernel: 6.8.0-31-generic}\n`;
const MULTUS = policyText('NicClusterPolicy', 'nic-cluster-policy', '  secondaryNetwork: {multus: {}}\n');
const DRIVER = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '  ofedDriver: {version: doca3.4.1-26.04-1.1.0.0-1}\n',
);
const EXTRA = `apiVersion: v1
kind: Pod
metadata: {name: extra, namespace: tools}
spec:
  containers: [{name: a, image: busybox}]
  volumes: [{name: data, image: {reference: "registry.example.com:5000/data:v1"}}]
`;
const PATCH = `  patches:
    - target: {kind: DaemonSet}
      patch: {spec: {template: {spec: {containers: [{name: kube-multus, image: "example.com/own/multus:1"}]}}}}
`;

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

write({
  'clusters/east/cluster.yaml': clusterText(
    `  release: v26.4.1\n  nodePools:\n${pool('a', 'amd64')}${pool('b', 'arm64')}`,
  ),
  'clusters/east/policy.yaml': DRIVER,
  'clusters/west/cluster.yaml': clusterText(`  release: v26.4.1\n  nodePools:\n${pool('a', 'amd64')}${PATCH}`, 'west'),
  'clusters/west/policy.yaml': MULTUS,
  'clusters/west/extra.yaml': EXTRA,
});

const weft = (...args: readonly string[]) =>
  runWeft(['images', ...args], { cwd: root, env: { PATH: process.env['PATH'] } });
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: root, stdio: 'ignore' });

interface Json {
  readonly images: readonly {
    readonly image: string;
    readonly digest?: string;
    readonly platforms: readonly string[];
    readonly clusters: readonly {
      readonly cluster: string;
      readonly source: object;
      readonly uses: readonly object[];
    }[];
  }[];
}

const jsonOf = async (...args: readonly string[]) => {
  const { stdout } = await weft('--format', 'json', ...args);
  return new Map((JSON.parse(stdout) as Json).images.map((one) => [one.image, one]));
};

const DRIVER_IMAGE = 'nvcr.io/nvidia/mellanox/doca-driver:doca3.4.1-26.04-1.1.0.0-1-ubuntu24.04';

describe('weft images', () => {
  it('lists every image of every cluster, one a line', async () => {
    expect(await weft()).toEqual({
      exit: 0,
      stderr: '',
      stdout: `busybox
example.com/own/multus:1
${DRIVER_IMAGE}-amd64
${DRIVER_IMAGE}-arm64
nvcr.io/nvidia/mellanox/multus-cni:network-operator-v26.4.1
nvcr.io/nvidia/mellanox/network-operator-init-container:network-operator-v26.4.1
registry.example.com:5000/data:v1
`,
    });
  });

  it('takes a cluster by its name, and says which there is none', async () => {
    expect((await weft('west')).stdout).not.toContain('doca-driver');
    expect(await weft('nowhere')).toMatchObject({ exit: 2, stdout: '' });
  });

  it('says for which platform, from where, by which objects, and with which digest', async () => {
    const images = await jsonOf();
    expect(images.get(`${DRIVER_IMAGE}-arm64`)).toEqual({
      image: `${DRIVER_IMAGE}-arm64`,
      digest: 'sha256:c802335d23793c12347fae05adcadc4de5bff556d7c1d9f3eb1fa2fce1ad1061',
      platforms: ['linux/arm64'],
      clusters: [
        {
          cluster: 'east',
          source: { kind: 'field', file: 'clusters/east/policy.yaml', field: 'spec.ofedDriver.version' },
          uses: [
            {
              kind: 'DaemonSet',
              namespace: 'nvidia-network-operator',
              name: 'mofed-ubuntu24.04-d57dd4984-arm64-ds',
              at: 'containers[mofed-container].image',
            },
          ],
        },
      ],
    });
    const sourceOf = (image: string) => images.get(image)?.clusters[0]?.source;
    expect(sourceOf('example.com/own/multus:1')).toEqual({
      kind: 'field',
      file: 'clusters/west/cluster.yaml',
      field: 'spec.patches[0]',
    });
    expect(sourceOf('busybox')).toEqual({
      kind: 'field',
      file: 'clusters/west/extra.yaml',
      field: 'spec.containers[0].image',
    });
    expect(sourceOf('nvcr.io/nvidia/mellanox/network-operator-init-container:network-operator-v26.4.1')).toEqual({
      kind: 'release',
      release: 'v26.4.1',
    });
  });

  it('writes a table', async () => {
    const { stdout } = await weft('west', '--format', 'markdown');
    expect(stdout.split('\n')[2]).toBe(
      '| `busybox` |  |  | linux/amd64 | west | Pod extra | `clusters/west/extra.yaml`: `spec.containers[0].image` |',
    );
  });

  it('writes the file of `skopeo sync`', async () => {
    expect((await weft('west', '--format', 'skopeo')).stdout).toBe(
      [
        'docker.io:',
        '  images:',
        '    library/busybox:',
        '      - latest',
        'example.com:',
        '  images:',
        '    own/multus:',
        '      - "1"',
        'nvcr.io:',
        '  images:',
        '    nvidia/mellanox/multus-cni:',
        '      - network-operator-v26.4.1',
        'registry.example.com:5000:',
        '  images:',
        '    data:',
        '      - v1',
        '',
      ].join('\n'),
    );
  });

  it('lists only what a change adds', async () => {
    expect(await runWeft(['synth'], { cwd: root })).toMatchObject({ exit: 0 });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'first');
    expect(await weft('--changed', 'HEAD')).toEqual({ exit: 0, stdout: '', stderr: '' });
    write({ 'clusters/east/extra.yaml': EXTRA.replace('busybox', 'busybox:1.37') });
    expect(await weft('--changed', 'HEAD')).toEqual({ exit: 0, stdout: 'busybox:1.37\n', stderr: '' });
    expect(await weft('--changed', 'nowhere')).toMatchObject({ exit: 2, stdout: '' });
  });

  it('leaves out what is no reference of an image, and names it', async () => {
    write({
      'clusters/south/cluster.yaml': clusterText(`  release: v26.4.1\n  nodePools:\n${pool('a', 'amd64')}`, 'south'),
      'clusters/south/extra.yaml': EXTRA.replace('busybox', '--help'),
    });
    const { exit, stdout, stderr } = await weft('south');
    expect([exit, stdout]).toEqual([0, 'registry.example.com:5000/data:v1\n']);
    expect(stderr).toContain('`containers[a].image` is `--help`, which is no reference of an image');
    rmSync(join(root, 'clusters/south'), { recursive: true });
  });
});
