import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { clusterText, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { runWeft } from '../../../test/kit/run-weft.js';
import { sha256 } from '../../shared/lib/hash.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'weft-lock-')));
afterAll(() => rmSync(base, { recursive: true }));

const A = `sha256:${'a'.repeat(64)}`;
const B = `sha256:${'b'.repeat(64)}`;
const EXTRA = `apiVersion: v1
kind: Pod
metadata: {name: extra, namespace: tools}
spec: {containers: [{name: a, image: busybox}, {name: b, image: "busybox@${B}"}, {name: c, image: "-o"}]}
`;
/** A manifest of an image for one platform, and its configuration. */
const ONE = '{"config":{}}';
const AMD64 = '{"os":"linux","architecture":"amd64"}';
const ONE_DIGEST = `sha256:${sha256(ONE)}`;
const ONE_PIN = `${ONE_DIGEST} linux/amd64`;
/** Another manifest: an index, with an attestation. */
const INDEX = `{"manifests":[${['arm64', 'amd64'].map((one) => `{"platform":{"os":"linux","architecture":"${one}"}}`).join(',')},{"platform":{"os":"unknown","architecture":"unknown"}}]}`;
const INDEX_DIGEST = `sha256:${sha256(INDEX)}`;
const INDEX_PIN = `${INDEX_DIGEST} linux/amd64,linux/arm64`;

/** A script of a tool that answers with the manifest, and the configuration where it is asked for that. */
const answering = (manifest: string, configuration = AMD64) =>
  `case "$*" in *config*|*json*) printf %s '${configuration}';; *) printf %s '${manifest}';; esac`;

const MULTUS_IMAGE = 'nvcr.io/nvidia/mellanox/multus-cni:network-operator-v26.4.1';

let root = '';
let bin = '';

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** A program of this name, which writes its arguments to `<name>.log`. */
function install(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\necho "$*" >> '${join(root, name)}.log'\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

const calls = (name: string) =>
  existsSync(join(root, `${name}.log`)) ? readFileSync(join(root, `${name}.log`), 'utf8') : '';
const weft = (...args: readonly string[]) => runWeft(args, { cwd: root, env: { PATH: bin } });
const pins = (cluster = 'east') =>
  readFileSync(join(root, `clusters/${cluster}/weft.lock`), 'utf8')
    .split('\n')
    .slice(1, -1);

/** All files of the output of a cluster. */
const output = (cluster = 'east') =>
  readdirSync(join(root, 'dist', cluster), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('');

const CLUSTER = `  release: v26.4.1\n  nodePools:\n${UBUNTU_POOL}`;

beforeEach(() => {
  root = mkdtempSync(join(base, 'project-'));
  bin = join(root, 'bin');
  mkdirSync(bin);
  write({
    'clusters/east/cluster.yaml': clusterText(CLUSTER),
    'clusters/east/policy.yaml': policyText(
      'NicClusterPolicy',
      'nic-cluster-policy',
      '  secondaryNetwork: {multus: {}}\n',
    ),
    'clusters/east/extra.yaml': EXTRA.replace(/, \{name: c.*\}\]/, ']'),
  });
});

describe('weft lock', () => {
  it('takes digests of the releases, and asks the first tool that is installed for others, by their whole names', async () => {
    install('regctl', answering(INDEX));
    install('docker', 'exit 1');
    const { exit, stdout, stderr } = await weft('lock');
    expect({ exit, stdout, stderr }).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'clusters/east/weft.lock: 2 images, 2 added\n',
    });
    expect(pins()).toEqual([
      `busybox ${INDEX_PIN}`,
      expect.stringMatching(new RegExp(`^${MULTUS_IMAGE} sha256:\\S+$`)),
    ]);
    expect(calls('regctl')).toBe('manifest get --format raw-body docker.io/library/busybox\n');
    expect(calls('docker')).toBe('');
    expect(await weft('synth')).toMatchObject({ exit: 0 });
    expect(output()).toContain(`image: busybox@${INDEX_DIGEST}`);
    expect(output()).toContain(`image: busybox@${B}`);
    expect((await weft('images')).stdout.split('\n')).toContain(pins()[1]?.replace(' ', '@'));
  });

  it.each([
    ['crane', 'manifest NAME', 'config NAME'],
    ['skopeo', 'inspect --raw docker://NAME', 'inspect --raw --config docker://NAME'],
    ['regctl', 'manifest get --format raw-body NAME', 'image config --format raw-body NAME'],
    ['docker', 'buildx imagetools inspect --raw NAME', 'buildx imagetools inspect --format {{json .Image}} NAME'],
  ])('asks %s where it is named, for the platform of an image without an index, too', async (tool, ...args) => {
    install(tool, answering(ONE));
    expect(await weft('lock', '--with', tool)).toMatchObject({ exit: 0 });
    const name = 'docker.io/library/busybox';
    const names = [name, `${name}@${ONE_DIGEST}`];
    expect(calls(tool)).toBe(args.map((line, index) => `${line.replace('NAME', names[index] ?? '')}\n`).join(''));
    expect(pins()[0]).toBe(`busybox ${ONE_PIN}`);
  });

  it('pins an image whose platforms the tool does not know', async () => {
    install('crane', answering(ONE, '{}'));
    expect(await weft('lock')).toMatchObject({ exit: 0 });
    expect(pins()[0]).toBe(`busybox ${ONE_DIGEST}`);
  });

  it('resolves an image with a pin that does not fit the pools', async () => {
    write({ 'clusters/east/weft.lock': `busybox ${B} linux/arm64\n` });
    const { exit, stderr } = await weft('synth');
    expect(exit).toBe(2);
    expect(stderr).toContain(
      'the image `busybox` is for `linux/arm64`, and pods of the Pod `extra` may run on nodes of pool',
    );
    install('crane', answering(ONE));
    expect(await weft('lock', '--update')).toMatchObject({ exit: 0 });
    expect(await weft('synth')).toMatchObject({ exit: 0 });
  });

  it.each([
    ['exit 3', 'says: nothing'],
    ['echo first >&2; echo "not found: it" >&2; exit 1', 'says: not found: it'],
    ['echo something', 'printed no manifest'],
    ['true', 'printed no manifest'],
    ['echo \'{"manifests":"x","digest":5}\'', 'printed no manifest'],
    ['while :; do echo more; done', 'printed more than a manifest has'],
  ])('names what a tool does not resolve, and pins the rest: %s', async (script, says) => {
    install('crane', script);
    const { exit, stderr } = await weft('lock');
    expect(exit).toBe(1);
    expect(stderr).toContain('WEFT0076');
    expect(stderr).toContain(says);
    expect(pins()).toHaveLength(1);
  });

  it('says that there is no tool', async () => {
    expect((await weft('lock')).stderr).toContain('none of `crane`, `skopeo`, `regctl`, `docker` is installed');
    expect((await weft('lock', '--with', 'skopeo')).stderr).toContain('`skopeo` is not installed');
  });

  it('gives a tool nothing that is no image', async () => {
    install('crane', answering(ONE));
    write({ 'clusters/east/extra.yaml': EXTRA });
    const { exit, stderr } = await weft('lock');
    expect(exit).toBe(1);
    expect(stderr).toContain('`-o` is not known: it is no reference of an image');
    expect(calls('crane')).toBe(`manifest docker.io/library/busybox\nconfig docker.io/library/busybox@${ONE_DIGEST}\n`);
  });

  it('takes digests from a file, and starts nothing', async () => {
    install('crane', answering(INDEX));
    write({ 'digests.txt': `busybox ${A}\n` });
    expect(await weft('lock', '--from', 'digests.txt')).toMatchObject({ exit: 0 });
    expect(pins()[0]).toBe(`busybox ${A}`);
    expect(calls('crane')).toBe('');
    write({ 'digests.txt': `busybox sha256:a\n` });
    expect((await weft('lock', '--from', 'digests.txt')).stderr).toContain('digests.txt:1:1');
    expect(await weft('lock', '--from', 'nothing.txt')).toMatchObject({ exit: 2 });
  });

  it('keeps pins, drops what nothing uses, and resolves all with --update', async () => {
    install('crane', answering(ONE));
    write({ 'clusters/east/weft.lock': `busybox ${B}\nold:1 ${B}\n` });
    expect((await weft('lock')).stderr).toBe('clusters/east/weft.lock: 2 images, 1 added, 1 removed\n');
    expect(pins()[0]).toBe(`busybox ${B}`);
    expect(calls('crane')).toBe('');
    expect((await weft('lock', '--update')).stderr).toBe('clusters/east/weft.lock: 2 images, 1 changed\n');
    expect(pins()[0]).toBe(`busybox ${ONE_PIN}`);
    install('crane', 'exit 1');
    expect(await weft('lock', '--update')).toMatchObject({ exit: 1 });
    expect(pins()[0]).toBe(`busybox ${ONE_PIN}`);
  });

  it('pins images as they are before mirrors', async () => {
    install('crane', answering(ONE));
    const mirrors = '  mirrors: [{from: docker.io, to: harbor.corp/hub}, {from: nvcr.io, to: harbor.corp/nvcr}]\n';
    write({ 'clusters/east/cluster.yaml': clusterText(`${mirrors}${CLUSTER}`) });
    expect(await weft('lock')).toMatchObject({ exit: 0 });
    expect(pins()[0]).toBe(`busybox ${ONE_PIN}`);
    expect(await weft('synth')).toMatchObject({ exit: 0 });
    expect(await weft('synth', '--check')).toMatchObject({ exit: 0 });
    expect(output()).toContain(`image: harbor.corp/hub/library/busybox@${ONE_DIGEST}`);
  });

  it('writes nothing where a cluster has an error, and refuses a lock that it cannot read', async () => {
    install('crane', answering(ONE));
    write({ 'clusters/west/cluster.yaml': clusterText('  release: v1\n', 'west') });
    expect(await weft('lock')).toMatchObject({ exit: 2 });
    expect(existsSync(join(root, 'clusters/east/weft.lock'))).toBe(false);
    write({ 'clusters/east/weft.lock': '<<<<<<< HEAD\n' });
    const { exit, stderr } = await weft('lock', 'east');
    expect(exit).toBe(2);
    expect(stderr).toContain('clusters/east/weft.lock:1:1');
  });

  it('holds for the cluster alone that it lies beside', async () => {
    install('crane', answering(ONE));
    write({
      'clusters/west/cluster.yaml': clusterText(CLUSTER, 'west'),
      'clusters/west/policy.yaml': readFileSync(join(root, 'clusters/east/policy.yaml'), 'utf8'),
      'clusters/west/extra.yaml': readFileSync(join(root, 'clusters/east/extra.yaml'), 'utf8'),
    });
    expect(await weft('lock', 'west')).toMatchObject({ exit: 0 });
    expect(await weft('synth')).toMatchObject({ exit: 0 });
    expect(output('west')).toContain(`image: busybox@${ONE_DIGEST}`);
    expect(output('east')).toMatch(/image: busybox$/m);
  });
});

describe('weft lock --check', () => {
  it('says what is missing, unused and moved, and writes nothing', async () => {
    const text = `${MULTUS_IMAGE} ${A}\nold:1 ${B}\n`;
    write({ 'clusters/east/weft.lock': text });
    const { exit, stderr } = await weft('lock', '--check');
    expect(exit).toBe(1);
    expect(stderr).toContain('the image `busybox` has no pin');
    expect(stderr).toContain('nothing uses the image `old:1`');
    expect(stderr).toContain(`the image \`${MULTUS_IMAGE}\` is pinned to ${A}, and the tag has sha256:`);
    expect(readFileSync(join(root, 'clusters/east/weft.lock'), 'utf8')).toBe(text);
  });

  it('asks a registry only where a tool is named', async () => {
    install('crane', answering(ONE));
    expect(await weft('lock')).toMatchObject({ exit: 0 });
    install('crane', answering(INDEX));
    expect(await weft('lock', '--check')).toEqual({ exit: 0, stdout: '', stderr: '' });
    const { exit, stderr } = await weft('lock', '--check', '--with', 'crane');
    expect(exit).toBe(1);
    expect(stderr).toContain(`\`busybox\` is pinned to ${ONE_DIGEST}, and the tag has ${INDEX_DIGEST} now`);
  });
});

describe('weft synth --locked', () => {
  it('refuses images without a digest, and writes nothing', async () => {
    const { exit, stderr } = await weft('synth', '--locked');
    expect(exit).toBe(2);
    expect(stderr).toContain('the image `busybox` has no pin: containers[a].image of the Pod `extra`');
    expect(stderr).toContain('clusters/east/cluster.yaml:4:');
    expect(stderr).toContain('2 errors');
    expect(existsSync(join(root, 'dist'))).toBe(false);
    install('crane', answering(ONE));
    expect(await weft('lock')).toMatchObject({ exit: 0 });
    expect(await weft('synth', '--locked')).toMatchObject({ exit: 0 });
    expect(await weft('synth', '--locked', '--check')).toMatchObject({ exit: 0 });
  });
});

describe('weft synth --check', () => {
  it('refuses a pin that nothing uses: it would hold for the image of a later change', async () => {
    write({ 'clusters/east/weft.lock': `busybox ${B}\n` });
    expect(await weft('synth')).toMatchObject({ exit: 0 });
    expect(await weft('synth', '--check')).toMatchObject({ exit: 0 });
    write({ 'clusters/east/weft.lock': `busybox ${B}\nbusybox:2 ${A}\n` });
    const { exit, stderr } = await weft('synth', '--check');
    expect(exit).toBe(2);
    expect(stderr).toContain('nothing uses the image `busybox:2`\n --> clusters/east/weft.lock\n');
  });
});
