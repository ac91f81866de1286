import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { namespacedName } from '../../shared/kubernetes/identity.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject, valueAt } from '../../shared/lib/json.js';
import { listedNames } from '../../shared/lib/listed.js';
import type { Cluster } from '../../compile/model/config.js';
import { found } from '../../compile/model/found.js';
import { isDriver } from './driver.js';

const SHOWN = 3;

/**
 * Refuses another namespace for a cluster that has drivers. Their DaemonSets are kept from pruning, the companion has rights
 * and reads DaemonSets in its own namespace only, and the anti-affinity of a driver pod counts only pods of its own namespace:
 * each node would get a second driver pod, and nothing would remove the first.
 *
 * @param old objects of the old output; without those whose files are the same in the new one
 * @param next all objects of the new output
 */
export function movedDrivers(
  cluster: Cluster,
  old: readonly KubernetesObject[],
  next: readonly KubernetesObject[],
): readonly Diagnostic[] {
  const { document } = cluster.origin;
  const staying = new Set(next.filter(isDriver).map(namespacedName));
  const left = old.filter(
    (one) => isDriver(one) && one.metadata.namespace !== cluster.namespace && !staying.has(namespacedName(one)),
  );
  const [first] = left;
  if (first === undefined) return [];
  const before = first.metadata.namespace ?? '';
  const isGiven = isObject(document.value) && valueAt(document.value, ['spec', 'namespace']) !== undefined;
  const path = isGiven ? ['spec', 'namespace'] : ['metadata', 'name'];
  const daemonSets = listedNames(left.map(namespacedName), SHOWN);
  return [
    found('WEFT0280', {
      message:
        `the namespace changes from \`${before}\` to \`${cluster.namespace}\` while drivers run: ${daemonSets} would stay, ` +
        'and its nodes would get a second driver pod',
      origin: { document, path },
      help:
        `keep \`namespace: ${before}\` and set \`driver.uninstall: true\`; when \`weft upgrade status\` says that every node ` +
        'is done, change the namespace and remove `driver.uninstall`',
    }),
  ];
}
