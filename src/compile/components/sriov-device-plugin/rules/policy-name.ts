import { since } from '../../../releases/changes.js';
import { within, type Rule } from '../../../model/config.js';

const MAX_LABEL_LENGTH = 63;
/** The label `name` of the SR-IOV device plugin's pods, without the name of the policy. */
const LABEL = 'network-operator-sriov-device-plugin-';

/** The operators before the change make the DaemonSet, and the API server refuses it. */
export const nodePolicyLabel: Rule = {
  code: 'WEFT0284',
  severity: 'warning',
  title: 'the name of a NicNodePolicy makes a label that the API server refuses',
  *check({ cluster, instances }) {
    if (since(cluster, 'hashed-policy-names')) return;
    for (const { owner, origin } of instances.get('sriov-device-plugin') ?? []) {
      const length = MAX_LABEL_LENGTH - LABEL.length;
      if (owner.kind !== 'NicNodePolicy' || owner.name.length <= length) continue;
      yield {
        origin: within({ document: origin.document, path: [] }, 'metadata', 'name'),
        message: `\`metadata.name\` of a NicNodePolicy with \`sriovDevicePlugin\` must have at most ${length} characters in release ${cluster.spec.release ?? ''}`,
        label: `${owner.name.length} characters`,
        help: `choose a shorter name: the label \`${LABEL}…\` of its pods has at most ${MAX_LABEL_LENGTH} characters, and the API server refuses the DaemonSet`,
      };
    }
  },
};
