import { within, type Rule } from '../../../model/config.js';

/**
 * The name becomes part of labels and names (network-operator b06827e0, api/v1alpha1/validator/nicpolicy_webhook.go).
 */
const MAX_LENGTH = 30;

export const nodePolicyName: Rule = {
  code: 'WEFT0231',
  severity: 'error',
  title: 'the name of a NicNodePolicy is too long',
  *check({ policies }) {
    for (const { owner, origin } of policies) {
      if (owner.kind !== 'NicNodePolicy' || owner.name.length <= MAX_LENGTH) continue;
      yield {
        origin: within(origin, 'metadata', 'name'),
        message: `\`metadata.name\` of a NicNodePolicy must have at most ${MAX_LENGTH} characters`,
        label: `${owner.name.length} characters`,
        help: 'choose a shorter name: it becomes part of labels and names',
      };
    }
  },
};
