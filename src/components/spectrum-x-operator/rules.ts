import { within, type Config, type Origin, type Rule } from '../../config/config.js';
import type { ImageSpec } from '../../config/shapes/image-spec.js';
import { isRepository, isTagOrDigest } from '../../lib/image-reference.js';
import type { SpectrumXOperatorSpec } from './schema.js';
import { xPlaneImage } from './x-plane.js';

interface XPlane {
  readonly image: ImageSpec;
  /** The mapping `xPlane`. */
  readonly origin: Origin;
}

function xPlanes({ instances, cluster }: Config): readonly XPlane[] {
  return (instances.get('spectrum-x-operator') ?? []).flatMap(({ spec, origin }) => {
    // The component's own schema has made the spec.
    const image = xPlaneImage(spec as SpectrumXOperatorSpec, cluster);
    return image ? [{ image, origin: within(origin, 'xPlane') }] : [];
  });
}

/** Without a version there is no XPlane and no need for a repository; a name the operator's CRD wants in any case. */
const xPlaneComplete: Rule = {
  code: 'WEFT0270',
  *check(config) {
    for (const { image, origin } of xPlanes(config)) {
      const needed = image.version === '' ? (['image'] as const) : (['image', 'repository'] as const);
      for (const part of needed.filter((name) => image[name] === '')) {
        yield {
          origin,
          at: 'key',
          message: `\`spec.spectrumXOperator.xPlane.${part}\` is missing`,
          help: `add \`${part}\`, or set \`spec.release\` in the Cluster document; \`spec.global\` does not fill it`,
        };
      }
    }
  },
};

const xPlaneValid: Rule = {
  code: 'WEFT0271',
  *check(config) {
    for (const { image, origin } of xPlanes(config)) {
      const { repository, version } = image;
      const isNamed = repository !== '' && image.image !== '';
      if (isNamed && !isRepository(`${repository}/${image.image}`)) {
        yield {
          origin,
          at: 'key',
          message: `\`spec.spectrumXOperator.xPlane\` is not a valid image: \`${repository}/${image.image}\``,
          help: 'write a registry and a lower-case path, for instance `nvcr.io/nvidia/doca`, and a lower-case name',
        };
      }
      if (version !== '' && !isTagOrDigest(version)) {
        yield {
          origin: within(origin, 'version'),
          message: `\`spec.spectrumXOperator.xPlane.version\` is neither a tag nor a digest: \`${version}\``,
          help: 'write a tag (letters, digits, `_`, `.`, `-`) or `sha256:` and 64 hexadecimal digits',
        };
      }
    }
  },
};

/** The operator hands the image over only where it has a version (0050-flowcontroller-ds.yaml). */
const xPlaneVersion: Rule = {
  code: 'WEFT0272',
  *check(config) {
    for (const { image, origin } of xPlanes(config)) {
      if (image.version !== '') continue;
      yield {
        origin,
        at: 'key',
        message: '`spec.spectrumXOperator.xPlane` has no version, so XPlane is left out',
        help: 'add `version`, or set `spec.release` in the Cluster document; `spec.global` does not fill it',
      };
    }
  },
};

/** XPlane's pods are made on the nodes, where amounts from the policy do not arrive. */
const xPlaneResources: Rule = {
  code: 'WEFT0273',
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

/** What must hold for the section `spectrumXOperator`. */
export const rules: readonly Rule[] = [xPlaneComplete, xPlaneResources, xPlaneValid, xPlaneVersion];
