import type { Rule } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';

/** A section belongs to one policy kind (network-operator b06827e0, pkg/policyoverlap/overlap.go). */
export const sectionConflict: Rule = {
  code: 'WEFT0233',
  severity: 'error',
  title: 'a NicNodePolicy has a section that the NicClusterPolicy has too',
  *check({ instances }) {
    for (const sameComponent of instances.values()) {
      const cluster = sameComponent.find(({ owner }) => owner.kind === 'NicClusterPolicy');
      if (!cluster) continue;
      for (const { owner, origin } of sameComponent) {
        if (owner.kind !== 'NicNodePolicy') continue;
        const section = formatPath(origin.path.slice(1));
        yield {
          origin,
          at: 'key',
          message: `NicNodePolicy \`${owner.name}\` has \`${section}\`, which the NicClusterPolicy has too`,
          help: 'keep the section in one of the two',
          related: { origin: cluster.origin, message: 'the NicClusterPolicy has it here' },
        };
      }
    }
  },
};
