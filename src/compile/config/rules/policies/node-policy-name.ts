import { within, type Rule } from '../../../model/config.js';
import { NODE_POLICY_NAME_MAX } from '../../../model/shapes/object-name.js';

export const nodePolicyName: Rule = {
  code: 'WEFT0231',
  severity: 'error',
  title: 'the name of a NicNodePolicy is too long',
  *check({ policies }) {
    for (const { owner, origin } of policies) {
      if (owner.kind !== 'NicNodePolicy' || owner.name.length <= NODE_POLICY_NAME_MAX) continue;
      yield {
        origin: within(origin, 'metadata', 'name'),
        message: `\`metadata.name\` of a NicNodePolicy must have at most ${NODE_POLICY_NAME_MAX} characters`,
        label: `${owner.name.length} characters`,
        help: 'choose a shorter name: it becomes part of labels and names',
      };
    }
  },
};
