import { listAt, textAt } from '../../../../shared/lib/json.js';
import { within, type NodePool, type PassthroughObject, type Rule } from '../../../model/config.js';

/** Label prefix of the nodes of Google Kubernetes Engine. */
const GKE_LABEL = 'cloud.google.com/gke-';
/** How the kernels of its Ubuntu nodes end: `6.8.0-1010-gke`. */
const GKE_KERNEL = '-gke';

const CLASSES = ['system-node-critical', 'system-cluster-critical'];

/** GKE limits these classes by the admission plugin ResourceQuota, as the installation guides of NVIDIA's operators for GKE say (`gpu-operator-quota`). */
export const systemPriorityAllowed: Rule = {
  code: 'WEFT0349',
  severity: 'warning',
  title: 'no ResourceQuota allows the priority class of the driver on GKE',
  *check({ cluster, passthrough }) {
    const { namespace } = cluster;
    const isLabelled = ({ labels }: NodePool): boolean => Object.keys(labels).some((key) => key.startsWith(GKE_LABEL));
    const pool = cluster.pools.find((one) => isLabelled(one) || one.kernel?.endsWith(GKE_KERNEL));
    if (pool === undefined || namespace === 'kube-system') return;
    const missing = CLASSES.filter((name) => !passthrough.some((one) => allows(one, namespace, name)));
    if (missing.length === 0) return;
    yield {
      origin: within(pool.origin, isLabelled(pool) ? 'labels' : 'kernel'),
      message: `pool \`${pool.name}\` is of GKE, and no ResourceQuota of namespace \`${namespace}\` is for the priority class \`${missing.join('`, `')}\``,
      label: 'GKE creates no pod of these classes outside of `kube-system`: no driver, no device plugin',
      help: 'add the ResourceQuota of the page of this code to the documents of the cluster',
    };
  },
};

/** A quota of these pods. How many it allows is not looked at. */
function allows({ object }: PassthroughObject, namespace: string, priorityClass: string): boolean {
  if (object['kind'] !== 'ResourceQuota' || textAt(object, 'metadata', 'namespace') !== namespace) return false;
  const scopes = listAt(object, 'spec', 'scopeSelector', 'matchExpressions');
  return scopes.some(
    (one) => textAt(one, 'scopeName') === 'PriorityClass' && listAt(one, 'values').includes(priorityClass),
  );
}
