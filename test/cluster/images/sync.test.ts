import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { imageUses } from '../../../src/compile/image-list/list.js';
import { fullReference } from '../../../src/shared/kubernetes/image-reference.js';
import type { KubernetesObject } from '../../../src/shared/kubernetes/types.js';
import { runWeft } from '../../kit/run-weft.js';
import { report } from '../bed/report.js';
import { folderOf } from '../bed/test-bed.js';
import { REGISTRIES, writeCluster } from './every-image.js';
import { crane, putImage, startRegistry, type Registry } from './registry.js';

const run = promisify(execFile);
const hasSkopeo = spawnSync('skopeo', ['--version']).status === 0;
if (!hasSkopeo) report('SKIPPED: THERE IS NO `skopeo` ON THIS MACHINE, SO NO IMAGE IS COPIED (apt-get install skopeo)');

let folder: string;
let origin: Registry;
let mirror: Registry;

/** Where the first registry has an image of the internet. */
const atOrigin = (image: string): string => `${origin.address}/${fullReference(image)}`;

beforeAll(async () => {
  folder = folderOf('images');
  if (!hasSkopeo) return;
  mkdirSync(folder, { recursive: true });
  origin = await startRegistry('origin', folder);
  mirror = await startRegistry('mirror', folder);
});
afterAll(async () => {
  if (hasSkopeo) await Promise.all([origin.process.stop(), mirror.process.stop()]);
});

interface Listed {
  readonly images: readonly {
    readonly image: string;
    readonly clusters: readonly { readonly pulledAs?: string }[];
  }[];
}

const weft = (...args: readonly string[]) => runWeft(args, { cwd: folder });

const seed = (image: string): Promise<string> => putImage(atOrigin(image), folder);

(hasSkopeo ? describe : describe.skip)('weft images --format skopeo, fed to skopeo', () => {
  it('brings every image of the output to where the cluster pulls it', async () => {
    const pinned = `docker.io/library/tool@${await seed('docker.io/library/tool:1')}`;
    const mirrors = REGISTRIES.map((from) => ({ from, to: `${mirror.address}/mirror/${from}` }));
    writeCluster(folder, { spec: { mirrors }, podImage: pinned });
    const { images } = JSON.parse((await weft('images', '--format', 'json')).stdout) as Listed;
    const digests = new Map<string, string>();
    for (const { image, clusters } of images) {
      // A reference without a tag means `latest`.
      const tagged = /:[^/]+$/.test(image) ? image : `${image}:latest`;
      const digest = image === pinned ? (pinned.split('@')[1] ?? '') : await seed(tagged);
      digests.set(clusters[0]?.pulledAs ?? image, digest);
    }
    expect(digests.size).toBeGreaterThan(20);

    const [list, registries] = [join(folder, 'images.yaml'), join(folder, 'registries.conf')];
    writeFileSync(list, (await weft('images', '--format', 'skopeo')).stdout);
    const toOrigin = REGISTRIES.map(
      (name) => `[[registry]]\nprefix = "${name}"\nlocation = "${origin.address}/${name}"\ninsecure = true\n`,
    );
    writeFileSync(registries, `unqualified-search-registries = []\n${toOrigin.join('')}`);
    const sync = ['sync', '--all', '--scoped', '--src', 'yaml', '--dest', 'docker', '--dest-tls-verify=false'];
    await run('skopeo', ['--registries-conf', registries, ...sync, list, `${mirror.address}/mirror`]);

    const { stdout } = await weft('synth', '-o', 'json');
    const { items } = JSON.parse(stdout) as { readonly items: readonly KubernetesObject[] };
    const rendered = new Set(items.flatMap((object) => imageUses(object).map(([image]) => image)));
    const found = new Map<string, string>();
    // Crane fails where the mirror has no such image.
    for (const image of rendered) found.set(image, await crane('digest', image));
    expect(found).toEqual(digests);
  });
});
