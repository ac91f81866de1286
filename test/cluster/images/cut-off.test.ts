import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { imageUses } from '../../../src/compile/image-list/list.js';
import { knownDigest } from '../../../src/compile/releases/digests.js';
import { fullReference } from '../../../src/shared/kubernetes/image-reference.js';
import type { KubernetesObject } from '../../../src/shared/kubernetes/types.js';
import { putCommand } from '../../bundle/built-command.js';
import { runWeft } from '../../kit/run-weft.js';
import { guideBlocks } from '../bed/guide-shell.js';
import { report } from '../bed/report.js';
import { binaries, folderOf } from '../bed/test-bed.js';
import { networkObstacle, startCutOffNetwork, type CutOffNetwork } from './cut-off-network.js';
import { REGISTRIES, writeCluster } from './every-image.js';
import { putImage, startRegistry, type Crane, type Registry } from './registry.js';

const GUIDE = 'docs/guide/images.md';
const OWN = 'docker.io/corp/own:1';

const hasSkopeo = spawnSync('skopeo', ['--version']).status === 0;
const obstacle = hasSkopeo ? networkObstacle() : 'there is no `skopeo` (apt-get install skopeo)';
if (obstacle !== undefined) report(`SKIPPED: NO NETWORK CAN BE CUT OFF HERE, SO ${GUIDE} IS NOT TRIED: ${obstacle}`);

let folder: string;
let network: CutOffNetwork;
let origin: Registry;
let mirror: Registry;

/** Crane in the network. Both registries speak plain HTTP. */
const crane: Crane = async (...args) => {
  const words = [join(binaries().registry, 'crane'), '--insecure', ...args].map((word) => `'${word}'`);
  return (await network.run(words.join(' '))).stdout.trim();
};

beforeAll(async () => {
  if (obstacle !== undefined) return;
  folder = folderOf('cut-off');
  mkdirSync(join(folder, '.config/containers'), { recursive: true });
  await putCommand(folder);
  const path = `${join(folder, 'path')}:/usr/bin:/bin:/usr/sbin:/sbin`;
  mkdirSync(join(folder, 'path'));
  writeFileSync(join(folder, 'path/weft'), `#!/bin/sh\nexec '${process.execPath}' '${folder}/bin/weft.cjs' "$@"\n`);
  chmodSync(join(folder, 'path/weft'), 0o755);
  const insecure = [...REGISTRIES, 'harbor.corp'].map(
    (name) => `[[registry]]\nprefix = "${name}"\nlocation = "${name}"\ninsecure = true\n`,
  );
  writeFileSync(join(folder, '.config/containers/registries.conf'), insecure.join(''));
  // Crane and skopeo each have another name for Docker Hub.
  const names = [...REGISTRIES, 'index.docker.io', 'registry-1.docker.io'];
  const internet = names.map((name) => [name, '127.0.0.2']);
  const hosts = { ...(Object.fromEntries(internet) as Record<string, string>), 'harbor.corp': '127.0.0.1' };
  network = await startCutOffNetwork(folder, hosts, { HOME: folder, PATH: path });
  // Each of the names stands for port 80 of its address.
  origin = await startRegistry('origin', folder, { address: '127.0.0.2:80', before: network.enter });
  mirror = await startRegistry('mirror', folder, { address: '127.0.0.1:80', before: network.enter });
});
afterAll(async () => {
  if (obstacle !== undefined) return;
  await Promise.all([origin.process.stop(), mirror.process.stop()]);
  await network.stop();
});

/** The images of the cluster as they are chosen. */
async function chosenImages(): Promise<readonly string[]> {
  return (await runWeft(['images'], { cwd: folder })).stdout.trim().split('\n');
}

/** The spec of a Cluster in the guide that says where images come from. */
function guideSpec(): object {
  const blocks = readFileSync(GUIDE, 'utf8').matchAll(/```yaml cluster\n([^]*?)```/g);
  const specs = [...blocks].map(([, text = '']) => (parse(text) as { readonly spec: object }).spec);
  const found = specs.find((spec) => 'mirrors' in spec);
  if (found === undefined) throw new Error('the guide has no Cluster with mirrors');
  return found;
}

(obstacle === undefined ? describe : describe.skip)(`the commands of ${GUIDE}`, () => {
  it('begin where nothing but the registries can be reached', async () => {
    const { stdout } = await network.run('ip -brief address; ip route; ip -6 route');
    expect(stdout.split('\n').filter((line) => line !== '' && !/^lo |dev lo/.test(line))).toEqual([]);
    const connect = "require('node:net').connect(443, '192.0.2.1').on('error', ({ code }) => console.log(code))";
    expect((await network.run(`'${process.execPath}' -e "${connect}"`)).stdout).toBe('ENETUNREACH\n');
  });

  it('bring every image of a cluster to its mirror, by the digest that the cluster names', async () => {
    writeCluster(folder, { spec: guideSpec(), podImage: OWN });
    const digests = new Map<string, string>();
    for (const image of await chosenImages()) {
      // A reference without a tag means `latest`.
      const full = fullReference(/:[^/]+$/.test(image) ? image : `${image}:latest`);
      digests.set(image, await putImage(full, folder, { ask: crane }));
    }
    expect(digests.size).toBeGreaterThan(20);
    // These images cannot have the digests that NVIDIA published: the cluster is pinned to theirs. `weft lock` has to ask for the others.
    const published = [...digests].filter(([image]) => knownDigest(image) !== undefined);
    expect(published.length).toBeGreaterThan(10);
    expect(digests.size - published.length).toBeGreaterThan(3);
    writeFileSync(join(folder, 'clusters/east/weft.lock'), published.map((line) => `${line.join(' ')}\n`).join(''));

    for (const block of guideBlocks(GUIDE, 'connected')) await network.run(block);
    await origin.process.stop();
    for (const block of guideBlocks(GUIDE, 'cut-off')) await network.run(block);

    const { stdout } = await runWeft(['synth', '-o', 'json'], { cwd: folder });
    const { items } = JSON.parse(stdout) as { readonly items: readonly KubernetesObject[] };
    const rendered = [...new Set(items.flatMap((object) => imageUses(object).map(([image]) => image)))];
    expect(rendered.filter((image) => !image.startsWith('harbor.corp/mirror/'))).toEqual([]);
    const pins = rendered.map((image) => image.split('@')[1] ?? '');
    expect(pins.sort()).toEqual([...digests.values()].sort());
    // Crane fails where the mirror has no such image.
    for (const image of rendered) expect(await crane('digest', image)).toBe(image.split('@')[1]);
  });
});
