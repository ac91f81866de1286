import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digestTools, type DigestTool } from '../../../src/cli/lock/options.js';
import { clusterText, policyText, UBUNTU_POOL } from '../../golden/compile.js';
import { runWeft } from '../../kit/run-weft.js';
import { report } from '../bed/report.js';
import { binaries, folderOf } from '../bed/test-bed.js';
import { crane, putImage, startRegistry, type Registry } from './registry.js';

const skopeo = spawnSync('sh', ['-c', 'command -v skopeo'], { encoding: 'utf8' }).stdout.trim();
if (skopeo === '')
  report('SKIPPED: THERE IS NO `skopeo` ON THIS MACHINE, SO `weft lock` IS NOT TRIED WITH IT (apt-get install skopeo)');

let folder: string;
let registry: Registry;
/** Lines of `weft.lock` by the image. */
const expected = new Map<string, string>();

beforeAll(async () => {
  folder = folderOf('lock');
  mkdirSync(folder, { recursive: true });
  registry = await startRegistry('registry', folder);
  const name = (image: string) => `${registry.address}/tools/${image}`;
  const both = await putImage(name('both:1'), folder);
  const one = await putImage(name('one:1'), folder, { architectures: ['amd64'] });
  expected.set(name('both:1'), `${both} linux/amd64,linux/arm64`);
  expected.set(name('one:1'), `${one} linux/amd64`);
  await crane('copy', name('both:1'), name('library/deep/latest'));
  expected.set(name('library/deep/latest'), `${both} linux/amd64,linux/arm64`);
});
afterAll(() => registry.process.stop());

function put(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** A folder with nothing but this tool, and the home folder in which it finds that the registry speaks plain HTTP. */
function install(tool: DigestTool): Readonly<Record<string, string>> {
  const home = join(folder, tool);
  const path = join(home, 'bin');
  mkdirSync(path, { recursive: true });
  const link = (program: string) => symlinkSync(program, join(path, tool));
  switch (tool) {
    case 'crane':
      link(join(binaries().registry, tool));
      break;
    case 'skopeo':
      link(skopeo);
      put(
        'skopeo/.config/containers/registries.conf',
        `[[registry]]\nlocation = "${registry.address}"\ninsecure = true\n`,
      );
      break;
    case 'regctl':
      link(join(binaries().regctl, tool));
      put('regctl/.regctl/config.json', JSON.stringify({ hosts: { [registry.address]: { tls: 'disabled' } } }));
      break;
    case 'docker':
      // Docker starts its plugin with the arguments that it got. This needs no Docker.
      chmodSync(put('docker/bin/docker', `#!/bin/sh\nshift\nexec '${binaries().buildx}/buildx' "$@"\n`), 0o755);
      break;
  }
  return { HOME: home, PATH: path };
}

/** A project of its own for each tool. */
function project(tool: DigestTool): string {
  const containers = [...expected.keys()].map((image, index) => `{name: c${index}, image: "${image}"}`);
  put(`${tool}/clusters/east/cluster.yaml`, clusterText(`  release: v26.4.1\n  nodePools:\n${UBUNTU_POOL}`));
  put(
    `${tool}/clusters/east/policy.yaml`,
    policyText('NicClusterPolicy', 'nic-cluster-policy', '  secondaryNetwork: {multus: {}}\n'),
  );
  put(
    `${tool}/clusters/east/pod.yaml`,
    `apiVersion: v1\nkind: Pod\nmetadata: {name: tools, namespace: tools}\nspec: {containers: [${containers.join(', ')}]}\n`,
  );
  return join(folder, tool);
}

const lines = (root: string) =>
  readFileSync(join(root, 'clusters/east/weft.lock'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(registry.address));
const sorted = () => [...expected].map((words) => words.join(' ')).sort();

describe.each(digestTools)('weft lock with %s', (tool) => {
  const isThere = tool !== 'skopeo' || skopeo !== '';
  let env: ReturnType<typeof install>;
  beforeAll(() => {
    if (isThere) env = install(tool);
  });

  (isThere ? it : it.skip)('pins digests and platforms of a registry, and moves a pin', async () => {
    const cwd = project(tool);
    const weft = (...args: readonly string[]) => runWeft(args, { cwd, env });
    expect(await weft('lock')).toMatchObject({ exit: 0 });
    expect(lines(cwd)).toEqual(sorted());
    expect(await weft('synth', '--locked')).toMatchObject({ exit: 0 });
    expect(await weft('lock', '--check', '--with', tool)).toEqual({ exit: 0, stdout: '', stderr: '' });

    const [moved = ''] = expected.keys();
    const digest = await putImage(moved, join(folder, tool), { content: tool });
    expect(expected.get(moved)).not.toContain(digest);
    expected.set(moved, `${digest} linux/amd64,linux/arm64`);
    const { exit, stderr } = await weft('lock', '--check', '--with', tool);
    expect(exit).toBe(1);
    expect(stderr).toContain(`and the tag has ${digest} now`);
    expect(await weft('lock', '--update')).toMatchObject({ exit: 0 });
    expect(lines(cwd)).toEqual(sorted());
  });

  (isThere ? it : it.skip)('says what it says of an image that is not there', async () => {
    const cwd = project(tool);
    const gone = `${registry.address}/tools/gone:1`;
    put(
      `${tool}/clusters/east/pod.yaml`,
      `apiVersion: v1\nkind: Pod\nmetadata: {name: tools, namespace: tools}\nspec: {containers: [{name: a, image: "${gone}"}]}\n`,
    );
    const { exit, stderr } = await runWeft(['lock'], { cwd, env });
    expect(exit).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`the digest of \`${gone}\` is not known: \`${tool}\` says: .*(?:not found|unknown)`, 'i'),
    );
  });
});
