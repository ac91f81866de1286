import { describe, expect, it } from '@jest/globals';
import { imageLikeTexts } from '../../../test/images/found-texts.js';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { chartCluster, chartValues } from '../../../test/conformance/chart-cluster.js';
import { imageList } from '../image-list/list.js';
import { INSTALL_DIGEST_ANNOTATION } from '../../shared/contract/labels.js';
import { companionObjects } from '../delivery/companion.js';
import { buildObjects } from '../synth.js';
import { valueAt } from '../../shared/lib/json.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { mirrored } from '../model/mirrors.js';
import type { Pins } from '../../shared/kubernetes/image-pins.js';
import { installDigest, type PodTemplateLike } from '../../shared/contract/install-digest.js';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const SETTINGS = {
  mirrors: [
    { from: 'nvcr.io', to: 'harbor.corp:8443/nvcr' },
    { from: 'nvcr.io/nvidia', to: 'harbor.corp:8443/nvidia' },
    { from: 'docker.io', to: 'harbor.corp:8443/hub' },
    { from: 'ghcr.io', to: 'ghcr.io/proxied' },
    { from: 'quay.io', to: 'quay.corp' },
  ],
  pullSecrets: { 'harbor.corp:8443': ['harbor', 'also'], 'docker.io': ['unused'] },
};

describe('the mirror of an image', () => {
  it.each([
    ['nvcr.io/nvidia/mellanox/a:1', 'harbor.corp:8443/nvidia/mellanox/a:1'],
    ['nvcr.io/nvidia:1', 'harbor.corp:8443/nvidia:1'],
    ['nvcr.io/nvidiax/a', 'harbor.corp:8443/nvcr/nvidiax/a'],
    ['nvcr.io:5000/a', 'nvcr.io:5000/a'],
    ['node:24', 'harbor.corp:8443/hub/library/node:24'],
    [`org/a:1@${DIGEST}`, `harbor.corp:8443/hub/org/a:1@${DIGEST}`],
    ['ghcr.io/a', 'ghcr.io/proxied/a'],
    ['registry.example.com/a', 'registry.example.com/a'],
  ])('%s', (image, expected) => {
    expect(mirrored(image, SETTINGS.mirrors)).toBe(expected);
  });
});

const EXTRA = `apiVersion: v1
kind: Pod
metadata: {name: extra, namespace: tools}
spec: {containers: [{name: a, image: busybox}], imagePullSecrets: [{name: own}]}
`;

/** All objects of a cluster with every add-on and the companion. */
function everything(settings: object, pins?: Pins) {
  const files = chartCluster(chartValues('40-everything'), {
    whereabouts: { deploy: true },
    upgrade: { prePull: true },
    ...settings,
  });
  const policy = policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    '  ofedDriver: {imagePullSecrets: [harbor], upgradePolicy: {autoUpgrade: true}}\n  spectrumXOperator: {xPlane: {version: v1}}\n',
  );
  const { config: written, diagnostics } = compile({ ...files, 'policy.yaml': policy, 'extra.yaml': EXTRA });
  if (!written) throw new Error(problemLines(diagnostics).join('\n'));
  const config = { ...written, cluster: { ...written.cluster, ...(pins && { pins }) } };
  const { objects } = buildObjects(config, (given, others) => companionObjects(given, others, () => 'program'));
  return { config, objects };
}

const before = everything({});
const after = everything(SETTINGS);
const find = (objects: typeof before.objects, kind: string, part: string): KubernetesObject => {
  const found = objects.find(({ object }) => object.kind === kind && object.metadata.name.includes(part));
  if (!found) throw new Error(`no ${kind} ${part}`);
  return found.object;
};
const SPEC = ['spec', 'template', 'spec'];

describe('mirrors', () => {
  it('hold for every image of the output, and of the list', () => {
    const listed = imageList(after.config, before.objects);
    const texts = new Set(after.objects.flatMap(({ object }) => [...imageLikeTexts(object)]));
    const rendered = imageList(before.config, after.objects).map(({ image }) => image);
    expect(listed.map(({ image, pulledAs = image }) => pulledAs).sort()).toEqual(rendered);
    expect([...texts].filter((text) => !rendered.includes(text))).toEqual([]);
    expect([...texts].filter((text) => /^(?:nvcr|docker|quay)\.io\//.test(text))).toEqual([]);
    expect(rendered.length).toBeGreaterThan(15);
  });

  it('leave the install digest of a driver and its name as they are', () => {
    const digestOf = (objects: typeof before.objects) =>
      find(objects, 'DaemonSet', 'mofed').metadata.annotations?.[INSTALL_DIGEST_ANNOTATION];
    expect(digestOf(after.objects)).toBe(digestOf(before.objects));
    const template = ['spec', 'template', 'metadata', 'annotations'];
    expect(valueAt(find(after.objects, 'DaemonSet', 'mofed'), template)).toEqual({
      'mirror.weft.dev/mofed-container': 'nvcr.io/nvidia=harbor.corp:8443/nvidia',
    });
    expect(valueAt(find(after.objects, 'DaemonSet', 'whereabouts'), template)).toBeUndefined();
  });
});

describe('pins', () => {
  const PUBLISHED = new Map(
    imageList(before.config, before.objects).flatMap(({ image, digest }) =>
      digest === undefined || image.includes('@') ? [] : [[image, { digest }] as const],
    ),
  );
  const unpublished = new Map(
    imageList(before.config, before.objects).flatMap(({ image }) =>
      image.includes('@') ? [] : [[image, { digest: DIGEST }]],
    ),
  );
  const digestOf = (objects: typeof before.objects) => {
    const driver = find(objects, 'DaemonSet', 'mofed');
    const own = driver.metadata.annotations?.[INSTALL_DIGEST_ANNOTATION];
    expect(own).toBe(installDigest(valueAt(driver, ['spec', 'template']) as PodTemplateLike));
    return own;
  };

  it('hold for every image of the output', () => {
    const { objects } = everything({}, unpublished);
    const images = imageList(before.config, objects).map(({ image }) => image);
    expect(images).toHaveLength(imageList(before.config, before.objects).length);
    expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
    const texts = objects.flatMap(({ object }) => [...imageLikeTexts(object)]);
    expect(texts.filter((text) => !images.includes(text))).toEqual([]);
  });

  it('are those of the references before mirrors', () => {
    const { config, objects } = everything(SETTINGS, unpublished);
    const images = imageList(config, everything({}, unpublished).objects);
    const rendered = imageList(before.config, objects).map(({ image }) => image);
    expect(images.map(({ image, pulledAs = image }) => pulledAs).sort()).toEqual(rendered);
    const sourceOf = (list: typeof images) => list.map(({ source }) => source);
    expect(sourceOf(images)).toEqual(sourceOf(imageList(before.config, before.objects)));
  });

  it('leave the install digest where NVIDIA published the digest of the tag', () => {
    expect(PUBLISHED.size).toBeGreaterThan(5);
    const same = digestOf(before.objects);
    expect(digestOf(everything({}, PUBLISHED).objects)).toBe(same);
    expect(digestOf(everything(SETTINGS, PUBLISHED).objects)).toBe(same);
  });

  it('give another install digest where they are not the published ones, with a mirror the same', () => {
    const other = digestOf(everything({}, unpublished).objects);
    expect(other).not.toBe(digestOf(before.objects));
    expect(digestOf(everything(SETTINGS, unpublished).objects)).toBe(other);
  });
});

describe('pull Secrets by registry', () => {
  const secretsOf = (object: KubernetesObject, path = SPEC) => valueAt(object, [...path, 'imagePullSecrets']);

  it('reach every pod that pulls from there, once', () => {
    const both = [{ name: 'harbor' }, { name: 'also' }];
    expect(secretsOf(find(after.objects, 'DaemonSet', 'mofed'))).toEqual(both);
    expect(secretsOf(find(after.objects, 'DaemonSet', 'pre-pull'))).toEqual(both);
    expect(secretsOf(find(after.objects, 'Job', 'weft-companion'))).toEqual(both);
    expect(secretsOf(find(after.objects, 'CronJob', ''), ['spec', 'jobTemplate', ...SPEC])).toEqual(both);
    expect(secretsOf(find(after.objects, 'Pod', 'extra'), ['spec'])).toEqual([{ name: 'own' }, ...both]);
    expect(secretsOf(find(after.objects, 'DaemonSet', 'whereabouts'))).toBeUndefined();
  });

  it('reach the pods of operators by their variables', () => {
    const variableOf = (part: string, kind: string) => {
      const env = valueAt(find(after.objects, kind, part), [...SPEC, 'containers', 0, 'env']);
      return (env as readonly { name: string; value?: string }[]).find(({ name }) => name === 'IMAGE_PULL_SECRETS');
    };
    expect(variableOf('sriov-network-operator', 'Deployment')?.value?.split(',')).toEqual(
      expect.arrayContaining(['harbor', 'also']),
    );
    expect(variableOf('spectrum-x', 'DaemonSet')?.value).toBe('harbor,also');
  });
});

describe('settings that are not valid', () => {
  it.each([
    ['mirrors: [{from: nvcr.io/a:1, to: b.c}]', 'from'],
    ['mirrors: [{from: library/node, to: b.c}]', 'from'],
    ['mirrors: [{from: a.b, to: "https://b.c"}]', 'to'],
    ['mirrors: [{from: a.b, to: b.c}, {from: a.b, to: c.d}]', 'the same'],
    ['pullSecrets: {a.b/c: [x]}', 'must be a registry'],
    ['pullSecrets: {a.b: []}', 'a.b'],
  ])('%s', (text, says) => {
    const { config, diagnostics } = compile({
      'cluster.yaml': clusterText(`  release: v26.4\n  ${text}\n  nodePools:\n${UBUNTU_POOL}`),
    });
    expect(config).toBeUndefined();
    expect(problemLines(diagnostics).join('\n')).toContain(says);
  });
});
