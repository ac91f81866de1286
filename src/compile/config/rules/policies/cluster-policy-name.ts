import { within, type Rule } from '../../../model/config.js';
import { CLUSTER_POLICY_NAME } from '../../kinds/policies.js';

/** The operator reconciles one name and ignores the others (network-operator b06827e0, pkg/consts/consts.go). */
export const clusterPolicyName: Rule = {
  code: 'WEFT0230',
  severity: 'error',
  title: 'a NicClusterPolicy has another name than the one that is reconciled',
  *check({ policies }) {
    for (const { owner, origin } of policies) {
      if (owner.kind !== 'NicClusterPolicy' || owner.name === CLUSTER_POLICY_NAME) continue;
      yield {
        origin: within(origin, 'metadata', 'name'),
        message: `a NicClusterPolicy must be named \`${CLUSTER_POLICY_NAME}\``,
        label: 'the operator ignores this one',
        help: `write \`name: ${CLUSTER_POLICY_NAME}\``,
      };
    }
  },
};
