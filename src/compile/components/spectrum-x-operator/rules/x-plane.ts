import { within, type Config, type Origin, type Rule } from '../../../model/config.js';
import type { ImageSpec } from '../../../model/shapes/image-spec.js';
import type { SpectrumXOperatorSpec } from '../schema.js';

interface XPlane {
  readonly image: ImageSpec;
  /** The mapping `xPlane`. */
  readonly origin: Origin;
}

function xPlanes({ instances }: Config): readonly XPlane[] {
  return (instances.get('spectrum-x-operator') ?? []).flatMap(({ spec, origin }) => {
    // The spec is the output of the component's own schema.
    const { xPlane: image } = spec as SpectrumXOperatorSpec;
    return image ? [{ image, origin: within(origin, 'xPlane') }] : [];
  });
}

/** The operator sets the image only if it has a version (0050-flowcontroller-ds.yaml). */
export const xPlaneVersion: Rule = {
  code: 'WEFT0272',
  severity: 'warning',
  title: 'XPlane has no version and is left out',
  *check(config) {
    for (const { image, origin } of xPlanes(config)) {
      if (image.version !== '') continue;
      yield {
        origin,
        at: 'key',
        message: '`spec.spectrumXOperator.xPlane` has no version, so XPlane is left out',
        help: 'add `version`, or write `xPlane: {}`, which `spec.release` of the Cluster fills; it fills none that has `image`, as the operator, nor does `spec.global`',
      };
    }
  },
};

/** XPlane's pods are created on the nodes, where resources of the policy have no effect. */
export const xPlaneResources: Rule = {
  code: 'WEFT0273',
  severity: 'warning',
  title: 'containerResources of XPlane have no effect',
  *check(config) {
    for (const { image, origin } of xPlanes(config)) {
      if ((image.containerResources ?? []).length === 0) continue;
      yield {
        origin: within(origin, 'containerResources'),
        at: 'key',
        message: '`spec.spectrumXOperator.xPlane.containerResources` has no effect',
        help: 'remove it; `spec.spectrumXOperator.containerResources` is for the container of the operator',
      };
    }
  },
};
