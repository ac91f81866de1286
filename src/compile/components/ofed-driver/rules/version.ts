import type { Rule } from '../../../model/config.js';
import { imageOrigin } from '../../../model/image-origin.js';
import { formatPath } from '../../../model/issues.js';
import { systemOfTag } from '../../../releases/driver-systems.js';
import { driverInstances } from './instances.js';

/** Forms of a driver version (network-operator b06827e0, api/v1alpha1/validator/nicpolicy_webhook.go). */
export const DRIVER_VERSION = new RegExp(
  '^(?:sha256:[a-fA-F0-9]{64}' +
    '|doca\\d+\\.\\d+(?:\\.\\d+)?-\\d+\\.\\d+-\\d+\\.\\d+\\.\\d+\\.\\d+-\\d+(?:-[\\w.-]+)?' +
    '|\\d+\\.\\d+-\\d+(?:\\.\\d+)*(?:-[\\w.-]+)?)$',
);

export const driverVersion: Rule = {
  code: 'WEFT0210',
  severity: 'error',
  title: 'the driver version is not valid',
  *check(config) {
    for (const instance of driverInstances(config)) {
      const { spec } = instance;
      if (spec.version === '' || DRIVER_VERSION.test(spec.version)) continue;
      const origin = imageOrigin(instance.origin, 'version');
      yield {
        origin,
        message: `\`${formatPath(origin.path)}\` is not a driver version: \`${spec.version}\``,
        help: 'write one such as `doca3.5.0-26.07-0.7.0.0-0`, `24.01-0.3.3.1-0`, or `sha256:` and a digest',
      };
    }
  },
};

/** The operator's webhook takes such a version, and the image of each DaemonSet then has the system twice. */
export const driverVersionWithoutSystem: Rule = {
  code: 'WEFT0308',
  severity: 'warning',
  title: 'no known release has the tag of an image',
  *check(config) {
    for (const instance of driverInstances(config)) {
      const tag = systemOfTag(instance.spec.version);
      if (!tag) continue;
      const origin = imageOrigin(instance.origin, 'version');
      yield {
        origin,
        message: `\`${formatPath(origin.path)}\` ends with a system, and each image of the driver has that of its node pool behind it: \`…${tag.system}${tag.system}\``,
        help: `write \`${tag.version}\``,
      };
    }
  },
};
