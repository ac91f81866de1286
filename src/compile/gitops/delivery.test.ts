import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { clusterText, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { expectGolden } from '../../../test/golden/golden-file.js';
import { resolve } from '../config/resolve.js';
import { companionObjects } from '../delivery/companion.js';
import { join as joinLoaded, loadYaml } from '../load/yaml/yaml.js';
import type { Config } from '../model/config.js';
import type { Placed } from '../render/layout.js';
import { fromCluster } from '../render/tree/base-path.js';
import { baseTree } from '../render/tree/base.js';
import { buildObjects } from '../synth.js';
import { createDelivery } from './delivery.js';
import { createFleet } from './fleet.js';
import { manifestText } from './helm/template-text.js';

const PROGRAM = 'const greeting = `${name} {{ .Values.name }}`;\n';
const REPOSITORY = 'https://git.example.com/platform/network.git';

const POLICY = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '  ofedDriver: {upgradePolicy: {autoUpgrade: true}}\n  secondaryNetwork: {multus: {}, cniPlugins: {}}\n',
);
const NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: work}\n';

function configOf(gitops: string, name = 'east', labels = '{}'): Config {
  const text = clusterText(`  release: v26.7\n  gitops: ${gitops}\n  nodePools:\n${UBUNTU_POOL}`, name);
  const cluster = text.replace(`name: ${name}`, `name: ${name}\n  labels: ${labels}`);
  const { config, diagnostics } = resolve(
    joinLoaded([loadYaml('cluster.yaml', cluster), loadYaml('policy.yaml', POLICY), loadYaml('work.yaml', NAMESPACE)]),
  );
  if (config === undefined) throw new Error(JSON.stringify(diagnostics));
  return config;
}

const objectsOf = (config: Config) =>
  buildObjects(config, (of, objects) => companionObjects(of, objects, () => PROGRAM)).objects as readonly Placed[];

function filesOf(config: Config): Readonly<Record<string, string>> {
  const { manifests, others, bases } = createDelivery()(config.cluster, objectsOf(config));
  const inBases = bases.flatMap((base) =>
    baseTree(base).files.map(({ path, text }) => ({ path: fromCluster(`${base.folder}/${path}`), text })),
  );
  const files = [...manifests, ...others, ...inBases].sort((a, b) => (a.path < b.path ? -1 : 1));
  return Object.fromEntries(files.map(({ path, text }) => [path, text]));
}

/** All paths, and the text of those files that are not an object of the cluster itself. */
function golden(name: string, files: Readonly<Record<string, string>>, isShown: RegExp): void {
  const shown = Object.entries(files).filter(([path]) => isShown.test(path));
  const texts = shown.map(([path, text]) => `--- # ${path}\n${text}`);
  const list = Object.keys(files).map((path) => `# ${path}\n`);
  // The name of the Job follows from all settings of the companion.
  const text = [...list, ...texts].join('').replace(/(job\.weft-companion-)[0-9a-f]+/g, '$1<hash>');
  expectGolden(join(__dirname, 'golden', `${name}.yaml`), text);
}

const LAYOUTS: Readonly<Record<string, string>> = {
  plain: '{}',
  argocd: `{argocd: {repoURL: "${REPOSITORY}", targetRevision: main, appProject: true, project: network}}`,
  'argocd-of-its-chart': `{argocd: {repoURL: "${REPOSITORY}", health: values, prune: false, selfHeal: false}}`,
  'argocd-without-health': `{argocd: {repoURL: "${REPOSITORY}", health: none}}`,
  'flux-without-prune': `{flux: {prune: false}}`,
  flux: `{flux: {source: {name: network, url: "${REPOSITORY}", secretName: network-login}}}`,
  'flux-of-another-source':
    '{flux: {source: {kind: OCIRepository, name: network}, path: ., serviceAccountName: network}}',
  helm: '{helm: {}}',
};

it.each(Object.entries(LAYOUTS))('the files of %s', (name, gitops) => {
  const isShown =
    /^(?:argocd|flux)\/|kustomization\.yaml$|Chart\.yaml$|values\.yaml$|namespace\.work|program-[0-9a-f]+\.yaml$/;
  golden(name, filesOf(configOf(gitops)), isShown);
});

describe('the objects of a cluster', () => {
  const OWN = /^(?:argocd|flux)\/|kustomization\.yaml$|Chart\.yaml$|values\.yaml$/;
  const ADDED = [
    'argocd.argoproj.io/compare-options',
    'argocd.argoproj.io/sync-wave',
    'kustomize.toolkit.fluxcd.io/substitute',
  ];

  /** By identity, without the annotations for a controller. */
  function bare(files: Readonly<Record<string, string>>): ReadonlyMap<string, unknown> {
    const objects = Object.entries(files)
      .filter(([path]) => !OWN.test(path))
      // The output of Helm for a template without actions.
      .map(([path, text]) => parse(manifestText(path, text)) as Placed['object']);
    return new Map(
      objects.map(({ metadata, ...rest }) => {
        const { annotations = {}, ...others } = metadata as { readonly annotations?: object };
        const left = Object.fromEntries(Object.entries(annotations).filter(([key]) => !ADDED.includes(key)));
        return [`${rest.kind} ${metadata.name}`, { ...rest, metadata: { ...others, annotations: left } }];
      }),
    );
  }

  it.each(Object.keys(LAYOUTS))('are those of the plain folder but for annotations: %s', (name) => {
    const [plain, other] = ['{}', LAYOUTS[name] ?? ''].map((gitops) => bare(filesOf(configOf(gitops))));
    expect(other).toEqual(plain);
  });

  it('keep the annotations of the controller where a patch changes them', () => {
    const target = '{kind: Namespace, name: nvidia-network-operator}';
    const patch = '{metadata: {labels: {team: x}, annotations: {a: b}}}';
    const patches = `patches: [{target: ${target}, patch: ${patch}}]`;
    const layout = `${LAYOUTS['argocd'] ?? ''}\n  ${patches}`;
    const found = objectsOf(configOf(layout)).find(({ object }) => object.kind === 'Namespace')?.object.metadata;
    expect(found).toMatchObject({
      labels: { team: 'x' },
      annotations: {
        ...{ a: 'b', 'argocd.argoproj.io/sync-wave': '-1' },
        'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      },
    });
  });

  it('are in two waves of Argo CD at most', () => {
    const waves = objectsOf(configOf(LAYOUTS['argocd'] ?? '')).map(({ object }) => {
      const { annotations = {} } = object.metadata as { readonly annotations?: Readonly<Record<string, string>> };
      return [annotations['argocd.argoproj.io/sync-wave'] ?? '0', object.kind] as const;
    });
    expect([...new Set(waves.map(([wave]) => wave))].sort()).toEqual(['-1', '0']);
    const first = waves.filter(([wave]) => wave === '-1').map(([, kind]) => kind);
    expect([...new Set(first)].sort()).toEqual(['CustomResourceDefinition', 'Namespace']);
  });

  it('are not substituted by Flux where they hold a script', () => {
    const scripts = objectsOf(configOf(LAYOUTS['flux'] ?? '')).filter(({ object }) =>
      JSON.stringify(object).includes('${'),
    );
    expect(scripts.map(({ object }) => object.metadata.name)).toContainEqual(
      expect.stringMatching(/^weft-companion-program-[0-9a-f]{10}$/),
    );
    for (const { object } of scripts) {
      expect(object.metadata).toMatchObject({ annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' } });
    }
  });
});

describe('a fleet of Argo CD', () => {
  const settings = (generator: string, rest = '') =>
    `{argocd: {repoURL: "${REPOSITORY}", appProject: true, project: network, applicationSet: {name: network, generator: ${generator}}${rest}}}`;

  it.each(['git', 'list'])('with the generator %s', (generator) => {
    const fleet = createFleet();
    const destination = generator === 'list' ? ', destination: {server: "https://10.0.0.1:6443"}' : '';
    fleet.take(configOf(settings(generator), 'west').cluster);
    fleet.take(configOf(settings(generator, destination), 'east').cluster);
    const files = Object.fromEntries(fleet.files().map(({ path, text }) => [path, text]));
    golden(`fleet-${generator}`, files, /^applications\//);
    expect(Object.keys(filesOf(configOf(settings(generator)))).filter((path) => path.startsWith('argocd/'))).toEqual(
      [],
    );
  });

  it('syncs one wave after the other', () => {
    const fleet = createFleet();
    const waves =
      '{argocd: {repoURL: "https://git.example.com/a.git", health: none, applicationSet: {name: network, generator: list, waves: {label: example.com/stage, order: [canary, main]}}}}';
    fleet.take(configOf(waves, 'west', '{example.com/stage: main}').cluster);
    fleet.take(configOf(waves, 'east', '{example.com/stage: canary}').cluster);
    const files = Object.fromEntries(fleet.files().map(({ path, text }) => [path, text]));
    golden('fleet-waves', files, /^applications\//);
  });

  it('has no waves where folders name the clusters', () => {
    const waves =
      '{argocd: {repoURL: "https://git.example.com/a.git", applicationSet: {name: network, waves: {label: stage, order: [a]}}}}';
    expect(() => configOf(waves)).toThrow('only `generator: list` knows the labels of clusters');
  });

  it('names a cluster with other settings', () => {
    const fleet = createFleet();
    expect(fleet.take(configOf(settings('git'), 'west').cluster)).toBeUndefined();
    expect(fleet.take(configOf(settings('git', ', targetRevision: next'), 'east').cluster)).toBe('west');
  });

  it('has the health check in the form that Argo CD takes', () => {
    const fleet = createFleet();
    fleet.take(configOf(settings('git', ', health: values')).cluster);
    expect(fleet.others().map(({ path }) => path)).toEqual(['health/values.yaml']);
    expect(fleet.files().filter(({ path }) => path.startsWith('health/'))).toEqual([]);
  });

  it('has no files without an ApplicationSet', () => {
    const fleet = createFleet();
    fleet.take(configOf(LAYOUTS['argocd'] ?? '').cluster);
    expect(fleet.files()).toEqual([]);
  });
});
