import { expect, it } from '@jest/globals';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { filesOf } from './files.js';
import { importCluster } from './import.js';

const KERNEL = '6.8.0-31-generic';
const TAG = `doca3.4.1-26.04-1.1.0.0-3-${KERNEL}-ubuntu24.04-amd64`;
const driver = (
  image: string,
  { kernel = KERNEL, namespace = 'nvidia-network-operator', container = 'mofed-container' } = {},
) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: image, namespace },
    spec: {
      template: {
        spec: {
          nodeSelector: { 'feature.node.kubernetes.io/kernel-version.full': kernel },
          containers: [
            { name: 'sidecar', image: 'x:1' },
            { name: container, image },
          ],
        },
      },
    },
  }) as NamedObject;
const image = `nvcr.io:443/nvidia/mellanox/doca-driver:${TAG}`;

it.each([
  { name: 'a precompiled driver', objects: [driver(image), driver(image)], expected: [TAG] },
  {
    name: 'a driver that is compiled on the node',
    objects: [driver(image.replace(`-${KERNEL}`, ''))],
    expected: undefined,
  },
  { name: 'a driver of another kernel', objects: [driver(image, { kernel: '5.15.0-1-generic' })], expected: undefined },
  { name: 'a driver by digest', objects: [driver('doca-driver@sha256:1')], expected: undefined },
  { name: 'a driver of another namespace', objects: [driver(image, { namespace: 'tenant' })], expected: undefined },
  { name: 'another container', objects: [driver(image, { container: 'x' })], expected: undefined },
])('the Cluster has the tag of $name, where it is one', ({ objects, expected }) => {
  const { documents } = importCluster({ name: 'east', objects });
  const [cluster] = documents;
  expect((cluster?.value['spec'] as { driver: object }).driver).toEqual({
    gate: 'label',
    ...(expected && { precompiledTags: expected }),
  });
  expect(filesOf(documents)[0]?.text.includes('# Those that run;')).toBe(expected !== undefined);
});
