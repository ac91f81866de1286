import { findRelease, proposedRelease } from '../../../releases/catalog.js';
import { within, type Rule } from '../../../model/config.js';

/** Images of a pre-release are of a staging registry, and are replaced when the release is final. */
export const releaseFinal: Rule = {
  code: 'WEFT0310',
  severity: 'warning',
  title: 'the release is a pre-release',
  *check({ cluster }) {
    const { release, preRelease } = findRelease(cluster.spec.release ?? '') ?? {};
    if (release === undefined || preRelease === undefined) return;
    yield {
      origin: within(cluster.origin, 'spec', 'release'),
      message: `release \`${release}\` is a pre-release: its images are those of ${preRelease}`,
      help: `\`${proposedRelease.release}\` is the newest final release`,
    };
  },
};
