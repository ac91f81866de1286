import { POD_SECURITY_LABELS, POD_SECURITY_LEVEL } from '../../../../shared/contract/labels.js';
import { apiGroup } from '../../../../shared/kubernetes/names.js';
import { valueAt } from '../../../../shared/lib/json.js';
import { within, type Rule } from '../../../model/config.js';

/** The Namespace document of the cluster is merged into the rendered Namespace, whose levels of pod security win. */
export const namespaceSecurity: Rule = {
  code: 'WEFT0576',
  severity: 'warning',
  title: 'a Namespace document has a level of pod security that is not rendered',
  *check({ cluster, passthrough }) {
    for (const { object, origin } of passthrough) {
      const isOurs =
        object['kind'] === 'Namespace' &&
        apiGroup(String(object['apiVersion'])) === '' &&
        valueAt(object, ['metadata', 'name']) === cluster.namespace;
      if (!isOurs) continue;
      for (const label of POD_SECURITY_LABELS) {
        const level = valueAt(object, ['metadata', 'labels', label]);
        if (typeof level !== 'string' || level === POD_SECURITY_LEVEL) continue;
        yield {
          origin: within(origin, 'metadata', 'labels', label),
          message: `\`${label}: ${level}\` of Namespace \`${cluster.namespace}\` is rendered as \`${POD_SECURITY_LEVEL}\`: drivers and device plugins are privileged pods`,
          help: 'remove the label, or write `# weft-ignore WEFT0576: reason` above it',
        };
      }
    }
  },
};
