import { compareVersions } from '../../../../shared/lib/version.js';
import { valueAt } from '../../../../shared/lib/json.js';
import { allComponents } from '../../../components/all.js';
import type { AnyComponent } from '../../../components/component.js';
import { within, type Origin, type ProgramCheck, type Rule, type Violation } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';
import { usedImages } from './used-images.js';

/** Images that do not have what Weft renders for them: their pods end, or ignore a part of the configuration. */
export const imageNotTooOld: Rule = {
  code: 'WEFT0337',
  severity: 'warning',
  title: 'an image is too old for what is rendered for it, or another build',
  checks: allComponents.flatMap(({ imageKeys }: AnyComponent) =>
    imageKeys.flatMap(({ oldest }): readonly ProgramCheck[] => {
      if (oldest === undefined) return [];
      const { program, source, version, otherBuild, onlyWith } = oldest;
      const condition = onlyWith === undefined ? '' : ` with \`${onlyWith}\``;
      return [
        {
          program,
          source,
          what: `image from ${version} on${condition}${otherBuild ? ', of the build that is rendered' : ''}`,
        },
      ];
    }),
  ),
  *check(config) {
    for (const { key, image, ...used } of usedImages(config)) {
      const { oldest } = key;
      if (oldest?.onlyWith !== undefined && valueAt(image, [oldest.onlyWith]) !== true) continue;
      if (oldest?.otherBuild?.tag.test(image.version)) {
        yield violationOf(within(used.origin, 'version'), `is \`${image.version}\`: ${oldest.otherBuild.reason}`);
        continue;
      }
      const version = oldest?.versionOf.exec(image.version)?.[1];
      if (oldest === undefined || version === undefined || compareVersions(version, oldest.version) >= 0) continue;
      const fact = `is \`${image.version}\`, and what is rendered needs ${oldest.version}: ${oldest.reason}`;
      yield violationOf(within(used.origin, 'version'), fact);
    }
  },
};

function violationOf(origin: Origin, fact: string): Violation {
  return {
    origin,
    message: `\`${formatPath(origin.path)}\` ${fact}`,
    help: 'remove `version`, `image` and `repository`: the release fills them',
  };
}
