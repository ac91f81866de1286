import { describe, expect, it } from '@jest/globals';
import { clusterText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { resolve } from '../../compile/config/resolve.js';
import { join, loadYaml } from '../../compile/load/yaml/yaml.js';
import { fleetFolders } from './fleet-folder.js';

function configOf(name: string, settings = '', ofSet = '', labels = '') {
  const argocd = `{repoURL: "https://git.example.com/a.git", applicationSet: {name: network${ofSet}}${settings}}`;
  return clusterOf(name, `  gitops: {argocd: ${argocd}}\n`, labels);
}

function clusterOf(name: string, spec = '', labels = '') {
  const plain = clusterText(`  release: v26.4\n${spec}  nodePools:\n${UBUNTU_POOL}`, name);
  const text = plain.replace(`  name: ${name}\n`, `  name: ${name}\n${labels}`);
  const { config, diagnostics } = resolve(join([loadYaml(`${name}.yaml`, text)]));
  if (config === undefined) throw new Error(JSON.stringify(diagnostics));
  return config.cluster;
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

  it.each([
    [
      'without the label',
      '',
      { line: 4 },
      'the cluster has no label `stage`, by which the ApplicationSet `network` orders',
    ],
    ['with another value', '  labels: {stage: last}\n', { line: 5 }, 'the ApplicationSet `network` has no wave `last`'],
  ])('is refused for a cluster %s', (_, labels, location, message) => {
    const waves = ', generator: list, waves: {label: stage, order: [canary, main]}';
    const found = fleetFolders(true).take(configOf('east', '', waves, labels), 'dist');
    expect(found).toMatchObject([{ code: 'WEFT0455', location, message: expect.stringContaining(message) }]);
    expect(fleetFolders(true).take(configOf('east', '', waves, '  labels: {stage: main}\n'), 'dist')).toEqual([]);
  });

  it.each([
    ['before', ['argocd', 'east', 'west']],
    ['after', ['east', 'west', 'argocd']],
  ])('is refused where a cluster that comes %s those of an ApplicationSet has its name', (_, names) => {
    const folders = fleetFolders(true);
    const found = names.flatMap((name) => folders.take(name === 'argocd' ? clusterOf(name) : configOf(name), 'dist'));
    expect(found).toMatchObject([
      {
        code: 'WEFT0454',
        message: 'a cluster named `argocd` would have the folder of the ApplicationSet `network` of the cluster `east`',
        location: { file: 'argocd.yaml', line: 4 },
      },
    ]);
  });

  it('leaves a cluster of its name alone without an ApplicationSet, or with output elsewhere', () => {
    const folders = fleetFolders(true);
    expect(folders.take(clusterOf('argocd'), 'dist')).toEqual([]);
    expect(folders.take(clusterOf('west'), 'dist')).toEqual([]);
    expect(folders.take(configOf('east'), 'elsewhere')).toEqual([]);
  });
});
