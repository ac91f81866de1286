import { SRIOV_GROUP } from '../../../../shared/contract/labels.js';
import { isObject, listAt, textAt, valueAt } from '../../../../shared/lib/json.js';
import {
  nodePlacement,
  type NodePlacement,
  type NodeSelectorTerm,
} from '../../../../shared/kubernetes/selection/node-placement.js';
import { within, type Rule } from '../../../model/config.js';
import { poolNode } from '../../../model/pool-node.js';
import { NV_IPAM_GROUP, objectsOf } from '../../../model/input-objects.js';

const NIC_GROUP = 'configuration.net.nvidia.com';

/** Kinds with a selector of nodes in `spec.nodeSelector`: labels, or labels and expressions, or terms. */
const KINDS: readonly { readonly group: string; readonly kind: string; readonly gives: string }[] = [
  { group: SRIOV_GROUP, kind: 'SriovNetworkNodePolicy', gives: 'no node gets virtual functions from it' },
  { group: SRIOV_GROUP, kind: 'SriovNetworkPoolConfig', gives: 'it has no effect' },
  { group: NV_IPAM_GROUP, kind: 'IPPool', gives: 'no node gets addresses of it' },
  { group: NV_IPAM_GROUP, kind: 'CIDRPool', gives: 'no node gets addresses of it' },
  { group: NIC_GROUP, kind: 'NicConfigurationTemplate', gives: 'it has no effect' },
  { group: NIC_GROUP, kind: 'NicFirmwareTemplate', gives: 'it has no effect' },
];

function termOf(term: unknown): NodeSelectorTerm {
  const requirements = (key: string) =>
    listAt(term, key).map((one) => ({
      key: textAt(one, 'key') ?? '',
      operator: textAt(one, 'operator') ?? '',
      values: listAt(one, 'values').filter((value) => typeof value === 'string'),
    }));
  return { matchExpressions: requirements('matchExpressions'), matchFields: requirements('matchFields') };
}

/** A selector of nodes in any of its three forms; `undefined`: all nodes. */
export function placementOf(selector: unknown): NodePlacement | undefined {
  if (!isObject(selector) || Object.keys(selector).length === 0) return undefined;
  const { nodeSelectorTerms, matchLabels, matchExpressions } = selector;
  if (Array.isArray(nodeSelectorTerms)) {
    return nodePlacement({ nodeSelector: {}, nodeAffinity: nodeSelectorTerms.map(termOf), tolerations: [] });
  }
  const isStructured = matchLabels !== undefined || matchExpressions !== undefined;
  const labels = isStructured ? (matchLabels ?? {}) : selector;
  // A term without requirements matches no node.
  const terms = listAt(selector, 'matchExpressions').length > 0 ? { nodeAffinity: [termOf(selector)] } : {};
  return nodePlacement({ nodeSelector: labels as Readonly<Record<string, string>>, ...terms, tolerations: [] });
}

/** Only labels that a pool lists are compared: nodes have others, which nobody has to write down. */
export const objectSelectsPool: Rule = {
  code: 'WEFT0348',
  severity: 'warning',
  title: 'an object selects no node pool',
  *check(config) {
    const { pools } = config.cluster;
    if (pools.length === 0) return;
    for (const { group, kind, gives } of KINDS) {
      for (const { name, spec, origin } of objectsOf(config, group, kind)) {
        const placement = placementOf(valueAt(spec, ['nodeSelector']));
        if (placement === undefined) continue;
        // The operators of these objects look at labels alone.
        if (pools.some(({ labels }) => placement.accepts(poolNode({ labels, taints: [] })))) continue;
        yield {
          origin: within(origin, 'spec', 'nodeSelector'),
          message: `${kind} \`${name}\` selects no node pool: ${gives}`,
          help: 'every pool has another value of a label: correct the selector, or the labels in `spec.nodePools`',
        };
      }
    }
  },
};
