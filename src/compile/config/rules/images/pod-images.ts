import { isImageReference } from '../../../../shared/kubernetes/image-reference.js';
import type { KubernetesObject } from '../../../../shared/kubernetes/types.js';
import { mapImages } from '../../../images/places.js';
import { within, type Rule } from '../../../model/config.js';
import { isUnfilled } from '../../../model/unfilled.js';

/** Policies and add-ons check their own images; what the API server takes of other objects the kubelet may not. */
export const podImages: Rule = {
  code: 'WEFT0593',
  severity: 'warning',
  title: 'a pod has an image that no node can pull',
  checks: [
    {
      program: 'kubelet',
      source: 'kubernetes v1.36, pkg/kubelet/images, and distribution/reference v0.6.0',
      what: 'images of pods: references of images',
    },
  ],
  *check({ passthrough }) {
    for (const { object, origin } of passthrough) {
      const invalid = new Map<string, string>();
      mapImages(object as KubernetesObject, (image, { at }) => {
        if (image !== '' && !isImageReference(image) && !isUnfilled(image)) invalid.set(at, image);
        return image;
      });
      for (const [at, image] of invalid) {
        yield {
          origin: within(origin, 'metadata', 'name'),
          message: `\`${at}\` is \`${image}\`, which is no reference of an image: its pods stay in \`InvalidImageName\``,
          help: 'write a repository with a tag or a digest, such as `registry.example.com/tools/perftest:v1`',
        };
      }
    }
  },
};
