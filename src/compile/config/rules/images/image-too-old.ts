import { compareVersions } from '../../../../shared/lib/version.js';
import { within, type Rule } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';
import { usedImages } from './used-images.js';

/** Images that do not have what Weft renders for them: their pods end, or ignore a part of the configuration. */
export const imageNotTooOld: Rule = {
  code: 'WEFT0337',
  severity: 'warning',
  title: 'an image is too old for what is rendered for it',
  checks: [
    {
      program: 'Multus',
      source: 'multus-cni v3.9.3, v4.0.2 and v4.1.0, images/Dockerfile and cmd/thin_entrypoint',
      what: 'image from v4.1.0 on',
    },
    {
      program: 'NV-IPAM',
      source: 'nvidia-k8s-ipam 9a60011, api/v1alpha1/ippool_type.go',
      what: 'image from v0.2.0 on',
    },
    {
      program: 'DOCA-OFED driver',
      source: 'network-operator, hack/release.yaml of each release: entrypoint and images are of one release line',
      what: 'image from 24.10 on',
    },
  ],
  *check(config) {
    for (const { key, image, ...used } of usedImages(config)) {
      const { oldest } = key;
      const version = oldest?.versionOf.exec(image.version)?.[1];
      if (oldest === undefined || version === undefined || compareVersions(version, oldest.version) >= 0) continue;
      const origin = within(used.origin, 'version');
      yield {
        origin,
        message: `\`${formatPath(origin.path)}\` is \`${image.version}\`, and what is rendered needs ${oldest.version}: ${oldest.reason}`,
        help: 'remove `version`, `image` and `repository`: the release fills them',
      };
    }
  },
};
