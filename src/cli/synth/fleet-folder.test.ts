import { describe, expect, it } from '@jest/globals';
import { clusterText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { resolve } from '../../config/resolve.js';
import { join, loadYaml } from '../../load/yaml/yaml.js';
import { fleetFolders } from './fleet-folder.js';

function configOf(name: string, settings = '') {
  const argocd = `{repoURL: "https://git.example.com/a.git", applicationSet: {name: network}${settings}}`;
  const text = clusterText(`  release: v26.4\n  gitops: {argocd: ${argocd}}\n  nodePools:\n${UBUNTU_POOL}`, name);
  const { config, diagnostics } = resolve(join([loadYaml(`${name}.yaml`, text)]));
  if (config === undefined) throw new Error(JSON.stringify(diagnostics));
  return config;
}

describe('the folder of a fleet', () => {
  it('is beside those of its clusters, and a run over some of them leaves it', () => {
    const [whole, part] = [fleetFolders(true), fleetFolders(false)];
    for (const folders of [whole, part]) expect(folders.take(configOf('east'), 'dist')).toEqual([]);
    expect(whole.trees().map(({ target }) => target)).toEqual([expect.stringMatching(/^dist\//)]);
    expect(part.trees()).toEqual([]);
  });

  it('is refused where clusters of one ApplicationSet have different settings', () => {
    const folders = fleetFolders(true);
    folders.take(configOf('east'), 'dist');
    expect(folders.take(configOf('west', ', targetRevision: next'), 'dist')).toMatchObject([
      { code: 'WEFT0451', severity: 'error', location: { file: 'west.yaml' } },
    ]);
  });
});
