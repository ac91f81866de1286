import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { compileFolder } from '../../src/cli/compile/compile.js';
import { imageList, imageUses } from '../../src/compile/image-list/list.js';
import { pulledObject } from '../../src/compile/images/pulled.js';
import type { PlacedObject } from '../../src/compile/model/placed-object.js';
import { POD_TEMPLATES } from '../../src/shared/kubernetes/pod-templates.js';
import { isObject } from '../../src/shared/lib/json.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { chartCluster, chartValues } from '../conformance/chart-cluster.js';
import { caseNames, chartNames, readCase, RECORDED_RELEASES, releasedCases } from '../conformance/recorded.js';
import { compile, type CompiledFiles } from '../golden/compile.js';
import { shareOf } from '../kit/shares.js';
import { imageLikeTexts, textsOf } from './found-texts.js';

const root = join(__dirname, '../..');

/** What a guess finds in some objects and the list has not, and what the list has and no text of the objects says. */
function differences(objects: readonly KubernetesObject[], listed: readonly string[]): readonly string[] {
  const known = new Set(listed);
  const texts = new Set(objects.flatMap(textsOf));
  // A program may get the repository, the name and the version of an image apart.
  const isInParts = (image: string) => {
    const [, repository = '', name = '', version = ''] = /^(.*)\/([^/:@]+)[:@](.*)$/.exec(image) ?? [];
    return [repository, name, version].every((part) => texts.has(part));
  };
  const found = new Set(objects.flatMap((object) => [...imageLikeTexts(object)]));
  return [
    ...[...found].filter((text) => !known.has(text)).map((text) => `not in the list: ${text}`),
    ...listed.filter((image) => !texts.has(image) && !isInParts(image)).map((image) => `only in the list: ${image}`),
  ];
}

/** The differences between the list of a cluster and its objects, and the number of images. */
function compared({ config, placed }: Pick<CompiledFiles, 'config' | 'placed'>) {
  if (!config) return { images: 0, differences: [] };
  const listed = imageList(config, placed).map(({ image }) => image);
  return {
    images: listed.length,
    differences: differences(
      placed.map(({ object }) => object),
      listed,
    ),
  };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml') && !entry.parentPath.endsWith('/input'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function objectsOf(file: string): readonly KubernetesObject[] {
  const documents = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as unknown);
  return documents.filter(
    (value): value is KubernetesObject & Record<string, unknown> => isObject(value) && isObject(value['metadata']),
  );
}

describe('the list has each image of the objects, and no other', () => {
  it.each(readdirSync(join(root, 'clusters')))('of the example %s', async (name) => {
    const io = { cwd: root, env: {}, stderr: () => undefined, readCompanionProgram: () => 'program' };
    const { result } = await compileFolder(join(root, 'clusters', name), io, { programs: true });
    const placed: readonly PlacedObject[] = result?.objects ?? [];
    const { images, differences } = compared({ ...(result && { config: result.config }), placed });
    expect({ differences, some: images > 0 }).toEqual({ differences: [], some: true });
  });

  it('of the recorded cases, in each release', () => {
    const recorded = [...caseNames().map((name) => readCase(name)), ...RECORDED_RELEASES.flatMap(releasedCases)];
    const cases = shareOf(recorded, 3);
    const all = cases.map(({ name, release = '', files }) => ({
      name: `${release} ${name}`,
      ...compared(compile(files)),
    }));
    expect(all.filter((one) => one.differences.length > 0)).toEqual([]);
    expect(all.filter((one) => one.images > 0).length).toBeGreaterThan(cases.length / 4);
  });

  it('of the sets of values of the chart, with all add-ons', () => {
    const all = chartNames().map((name) => {
      return { name, ...compared(compile(chartCluster(chartValues(name), { whereabouts: { deploy: true } }))) };
    });
    expect(all.filter((one) => one.differences.length > 0)).toEqual([]);
    expect(Math.max(...all.map(({ images }) => images))).toBeGreaterThan(10);
  });

  it('of documents of people: templates of every kind, variables, arguments and volumes', () => {
    const image = (name: string) => `registry.example.com/own/${name}:1`;
    const pod = {
      initContainers: [{ name: 'a', image: image('init') }],
      containers: [
        {
          name: 'a',
          image: 'own:1',
          command: ['/manager', `--daemon-image=${image('command')}`, '--image=always'],
          args: [`--sidecar-image=${image('argument')}`, '--images-file=/etc/images:1', '--imagePullPolicy=Always'],
          env: [
            { name: 'RELATED_IMAGE_DAEMON', value: image('related') },
            { name: 'HELPER_IMAGE', value: `${image('helper')}@sha256:${'a'.repeat(64)}` },
            { name: 'SRIOV_CNI_IMAGE', value: 'cni:1' },
            { name: 'IMAGE_FOLDER', value: '/var/lib/images:1' },
            { name: 'IMAGE_PULL_SECRETS', value: 'one' },
          ],
        },
      ],
      volumes: [{ name: 'a', image: { reference: image('volume') } }],
    };
    const names = ['helper', 'related', 'argument', 'command', 'init', 'volume'].map(image);
    const expected = [
      ...names.map((one) => (one === image('helper') ? `${one}@sha256:${'a'.repeat(64)}` : one)),
      'cni:1',
      'own:1',
    ];
    for (const [kind, path] of POD_TEMPLATES) {
      const spec = path.reduceRight<object>((inner, key) => ({ [key]: inner }), { spec: pod });
      const object = { apiVersion: 'v1', kind, metadata: { name: 'own' }, ...spec };
      const listed = imageUses(object).map(([one]) => one);
      expect({ kind, listed: [...listed].sort() }).toEqual({ kind, listed: [...expected].sort() });
      expect(differences([object], listed).filter((line) => line.startsWith('not in the list'))).toEqual([]);
      const settings = { mirrors: [{ from: 'registry.example.com', to: 'harbor.corp' }], pullSecrets: {} };
      expect(textsOf(pulledObject(object, settings)).filter((text) => text.includes('registry.example.com'))).toEqual(
        [],
      );
    }
  });

  it('of the goldens', () => {
    const folders = ['src/compile', 'test/golden', 'dist'].map((folder) => join(root, folder));
    const found = folders
      .flatMap(filesBelow)
      .flatMap(objectsOf)
      .map((object) => {
        const own = imageUses(object).map(([image]) => image);
        return { name: `${object.kind} ${object.metadata.name}`, own, differences: differences([object], own) };
      });
    expect(found.filter((one) => one.differences.length > 0)).toEqual([]);
    expect(new Set(found.flatMap(({ own }) => own)).size).toBeGreaterThan(30);
  });
});
