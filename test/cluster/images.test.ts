import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { imageUses } from '../../src/compile/image-list/list.js';
import { fullReference } from '../../src/shared/kubernetes/image-reference.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { toYaml } from '../../src/compile/render/yaml/yaml.js';
import { runWeft } from '../kit/run-weft.js';
import { startGuarded, until, type GuardedProcess } from './bed/guarded-process.js';
import { report } from './bed/report.js';
import { binaries, folderOf } from './bed/test-bed.js';

const run = promisify(execFile);
const hasSkopeo = spawnSync('skopeo', ['--version']).status === 0;
if (!hasSkopeo) report('SKIPPED: THERE IS NO `skopeo` ON THIS MACHINE, SO NO IMAGE IS COPIED (apt-get install skopeo)');

const REGISTRIES = ['nvcr.io', 'ghcr.io', 'quay.io', 'docker.io', 'registry.k8s.io'];

interface Registry {
  readonly process: GuardedProcess;
  readonly address: string;
}

let folder: string;
let origin: Registry;
let mirror: Registry;

const crane = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await run(join(binaries().registry, 'crane'), [...args]);
  return stdout.trim();
};

async function startRegistry(name: string): Promise<Registry> {
  const logFile = join(folder, `${name}.log`);
  const args = ['registry', 'serve', '--address', '127.0.0.1:0'];
  const process = startGuarded(name, join(binaries().registry, 'crane'), args, { logFile, workingDirectory: folder });
  const port = await until(
    `${name} serves`,
    () => /serving on port (\d+)/.exec(readFileSync(logFile, 'utf8'))?.[1],
    30,
  );
  return { process, address: `127.0.0.1:${port}` };
}

/** Where the first registry has an image of the internet. */
const atOrigin = (image: string): string => `${origin.address}/${fullReference(image)}`;

beforeAll(async () => {
  folder = folderOf('images');
  mkdirSync(join(folder, 'clusters/east'), { recursive: true });
  if (!hasSkopeo) return;
  origin = await startRegistry('origin');
  mirror = await startRegistry('mirror');
});
afterAll(async () => {
  if (hasSkopeo) await Promise.all([origin.process.stop(), mirror.process.stop()]);
});

function writeCluster(pinned: string): void {
  const cluster = {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'east' },
    spec: {
      release: 'v26.7',
      nodePools: ['amd64', 'arm64'].map((arch) => ({
        name: arch,
        osName: 'ubuntu',
        osVersion: '24.04',
        arch,
        kernel: '6.8.0-31-generic',
      })),
      driver: { gate: 'label' },
      sriovNetworkOperator: { deploy: true },
      nodeFeatureDiscovery: { deploy: true },
      maintenanceOperator: { deploy: true },
      whereabouts: { deploy: true },
      companion: { nodeImage: 'node:24' },
      upgrade: { prePull: true },
      mirrors: REGISTRIES.map((from) => ({ from, to: `${mirror.address}/mirror/${from}` })),
    },
  };
  const policy = {
    apiVersion: 'mellanox.com/v1alpha1',
    kind: 'NicClusterPolicy',
    metadata: { name: 'nic-cluster-policy' },
    spec: {
      ofedDriver: { upgradePolicy: { autoUpgrade: true } },
      secondaryNetwork: { multus: {} },
      spectrumXOperator: { xPlane: {} },
    },
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'pinned', namespace: 'tools' },
    spec: { containers: [{ name: 'a', image: pinned }] },
  };
  for (const [name, document] of Object.entries({ cluster, policy, pod })) {
    writeFileSync(join(folder, `clusters/east/${name}.yaml`), toYaml(document));
  }
}

interface Listed {
  readonly images: readonly {
    readonly image: string;
    readonly clusters: readonly { readonly pulledAs?: string }[];
  }[];
}

const weft = (...args: readonly string[]) => runWeft(args, { cwd: folder });

/** Puts an image for two platforms, with content of its own, where the internet would have it; returns its digest. */
async function seed(image: string): Promise<string> {
  const layer = join(folder, 'layer.tar');
  writeFileSync(join(folder, 'file'), `${image}\n`);
  await run('tar', ['-cf', layer, '-C', folder, 'file']);
  const to = atOrigin(image);
  const parts = [`${to}-amd64`, `${to}-arm64`];
  for (const part of parts) await crane('append', '-f', layer, '-t', part);
  await crane('index', 'append', ...parts.flatMap((part) => ['-m', part]), '-t', to);
  return crane('digest', to);
}

(hasSkopeo ? describe : describe.skip)('weft images --format skopeo, fed to skopeo', () => {
  it('brings every image of the output to where the cluster pulls it', async () => {
    const pinned = `docker.io/library/tool@${await seed('docker.io/library/tool:1')}`;
    writeCluster(pinned);
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
