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

/** Of the operator's admission webhook (network-operator b06827e0, api/v1alpha1/validator/nicpolicy_webhook.go). */
const ADMITTED_MAX = 30;

/** The webhook is off by default, and longer names fit. Where the name of a driver DaemonSet gets too long, another rule reports it. */
export const nodePolicyNameAdmitted: Rule = {
  code: 'WEFT0310',
  severity: 'warning',
  title: 'the webhook of the operator refuses what its programs take',
  checks: [
    {
      program: 'admission webhook of the operator',
      source: 'network-operator b06827e0, api/v1alpha1/validator/nicpolicy_webhook.go `maxNicNodePolicyNameLength`',
      what: 'names of NicNodePolicies with more than 30 characters',
    },
  ],
  *check({ policies }) {
    for (const { owner, origin } of policies) {
      const { length } = owner.name;
      if (owner.kind !== 'NicNodePolicy' || length <= ADMITTED_MAX || length > NODE_POLICY_NAME_MAX) continue;
      yield {
        origin: within(origin, 'metadata', 'name'),
        message: `the admission webhook of the operator refuses names of NicNodePolicies with more than ${ADMITTED_MAX} characters`,
        label: `${length} characters`,
        help: 'choose a shorter name, which renames its DaemonSets; the webhook is off by default: if it is off in your cluster, write `# weft-ignore WEFT0310: reason` above it',
      };
    }
  },
};
