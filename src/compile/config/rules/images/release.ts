import { findRelease } from '../../../releases/catalog.js';
import { releaseHelp } from '../../../releases/release-help.js';
import { within, type Rule } from '../../../model/config.js';

/** Images cannot be filled in from a release that the catalog does not have. */
export const releaseKnown: Rule = {
  code: 'WEFT0240',
  severity: 'error',
  title: 'the release is unknown',
  *check({ cluster }) {
    const name = cluster.spec.release;
    if (name === undefined || findRelease(name)) return;
    yield {
      origin: within(cluster.origin, 'spec', 'release'),
      message: `there is no release \`${name}\` in the catalog`,
      help: releaseHelp(name),
    };
  },
};
