import { within, type Rule } from '../../../model/config.js';
import { valueAt } from '../../../../shared/lib/json.js';

/**
 * The operator does not copy labels of the network to the NetworkAttachmentDefinition (network-operator b06827e0,
 * pkg/state).
 */
export const networkLabels: Rule = {
  code: 'WEFT0314',
  severity: 'warning',
  title: 'labels of a network have no effect',
  *check({ networks }) {
    for (const { kind, name, origin } of networks) {
      const labels = valueAt(origin.document.value, ['metadata', 'labels']);
      if (Object.keys(labels ?? {}).length === 0) continue;
      yield {
        origin: within(origin, 'metadata', 'labels'),
        at: 'key',
        message: `the labels of ${kind} \`${name}\` have no effect: its NetworkAttachmentDefinition does not get them`,
        help: 'remove them, or add them with a patch in `spec.patches` of the Cluster',
      };
    }
  },
};
