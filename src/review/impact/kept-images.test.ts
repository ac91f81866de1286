import { describe, expect, it } from '@jest/globals';
import { renderedRelease } from '../../compile/releases/catalog.js';
import { imageReference } from '../../shared/kubernetes/image-reference.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { keptImageNotes } from './kept-images.js';

const deployment = (value: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'sriov-network-operator' },
  spec: {
    template: {
      spec: { containers: [{ name: 'a', image: 'nvcr.io/a:1', env: [{ name: 'SRIOV_CNI_IMAGE', value }] }] },
    },
  },
});

describe('keptImageNotes', () => {
  const [before, after] = [{ release: 'v26.4' }, { release: 'v26.7' }];

  it('names an image that an operator gets in a variable', () => {
    const notes = keptImageNotes(before, after, [deployment('harbor.corp/nvidia/sriov-cni:network-operator-v26.4.1')]);
    expect(notes).toEqual([
      expect.stringMatching(/^1 image stays, because the input names it: `?sriov-cni:network-operator-v26\.4\.1/),
    ]);
  });

  it('names none of the release', () => {
    const { SriovCni: image } = renderedRelease('v26.7').images;
    if (image === undefined) throw new Error('the release has no such image');
    expect(keptImageNotes(before, after, [deployment(imageReference(image))])).toEqual([]);
  });
});
