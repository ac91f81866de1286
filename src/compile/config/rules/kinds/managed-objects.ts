import { COMPANION_NAMES, DAEMON_SET_LABELS, OFED_DRIVER_LABEL } from '../../../../shared/contract/labels.js';
import { groupOf } from '../../../../shared/kubernetes/identity.js';
import type { KubernetesObject } from '../../../../shared/kubernetes/types.js';
import { isObject, valueAt } from '../../../../shared/lib/json.js';
import { within, type Rule } from '../../../model/config.js';

/** Kinds, each with its API group, of which the companion has, reads or writes an object. */
const COMPANION_KINDS: ReadonlySet<string> = new Set([
  'ConfigMap.',
  'ServiceAccount.',
  'Job.batch',
  'CronJob.batch',
  'Lease.coordination.k8s.io',
]);

/**
 * The companion drains nodes for each DaemonSet with the label of the OFED driver, and does what its policy, its Lease and its
 * status say, so a document cannot be one of them.
 */
export const objectNotManaged: Rule = {
  code: 'WEFT0282',
  severity: 'error',
  title: 'a document is an object that only Weft or the companion writes',
  *check({ cluster, passthrough }) {
    for (const { object: document, origin } of passthrough) {
      const object = document as KubernetesObject;
      const { kind, metadata } = object;
      const labels =
        kind === 'DaemonSet' ? DAEMON_SET_LABELS.find((path) => hasDriverLabel(valueAt(object, path))) : undefined;
      if (labels) {
        yield {
          origin: within(origin, ...labels, OFED_DRIVER_LABEL),
          at: 'key',
          message: `the label \`${OFED_DRIVER_LABEL}\` makes DaemonSet \`${metadata.name}\` an OFED driver, for which nodes are drained`,
          help: 'describe the driver in a NicClusterPolicy or NicNodePolicy, with `spec.patches` of the Cluster for what differs; or remove the label',
        };
      }
      if (isOfCompanion(object, cluster.namespace)) {
        yield {
          origin: within(origin, 'metadata', 'name'),
          message: `${kind} \`${metadata.name}\` of namespace \`${cluster.namespace}\` belongs to the companion`,
          help: 'give this one another name: `spec.upgrade` and `spec.companion` of the Cluster decide what the companion does',
        };
      }
    }
  },
};

function hasDriverLabel(labels: unknown): boolean {
  return isObject(labels) && OFED_DRIVER_LABEL in labels;
}

function isOfCompanion(object: KubernetesObject, ownNamespace: string): boolean {
  const { name, namespace = ownNamespace } = object.metadata;
  const isName = name === COMPANION_NAMES.account || name.startsWith(COMPANION_NAMES.jobPrefix);
  return isName && namespace === ownNamespace && COMPANION_KINDS.has(`${object.kind}.${groupOf(object)}`);
}
