import type { Construct } from 'constructs';
import { NFD_LABELS } from '../../../shared/contract/labels.js';
import { type MadeObject, madeObjects } from '../../../shared/kubernetes/made-objects.js';
import { setsNicLabel } from './own-rule.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { selectsByLabel } from '../../../shared/kubernetes/selection/node-selection.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import type { NodeFeatureDiscoveryInput, NodeFeatureRuleDocument } from '../../model/input.js';
import type { AddOnProps } from '../add-on.js';
import { AddOnConstruct, type DeployedInCluster } from '../add-on-construct.js';
import { KEPT, partsOf } from './names.js';
import { accountsAndRoles } from './rbac.js';
import type { NodeFeatureDiscoverySpec } from './schema.js';
import { workloads } from './workloads.js';

/** PCI classes of network controllers: Ethernet, InfiniBand (PCI Code and ID Assignment Specification, base class 02h). */
const NIC_CLASSES = ['0200', '0207'];
/** PCI id of the vendor Mellanox. */
const VENDOR = '15b3';

/** A NodeFeatureRule; on OpenShift its API has another group. */
type RuleObject = KubernetesObject & Pick<NodeFeatureRuleDocument, 'kind' | 'spec'>;

/** The props of `NodeFeatureDiscovery`: its section of the Cluster document, and the cluster. */
export interface NodeFeatureDiscoveryProps extends Omit<NodeFeatureDiscoveryInput, 'deploy'>, DeployedInCluster {}

/** Node Feature Discovery, if it is deployed, and its rule, if an object selects by the label of the rule. */
export class NodeFeatureDiscovery extends AddOnConstruct {
  constructor(scope: Construct, id: string, props: NodeFeatureDiscoveryProps) {
    super(scope, id, 'node-feature-discovery', props);
  }

  /** The rule that labels nodes with an NVIDIA NIC; absent if no object of the cluster selects by its label. */
  get rule(): MadeObject<RuleObject> | undefined {
    return madeObjects<RuleObject>(this, 'NodeFeatureRule')[0];
  }

  /** @internal */
  protected override build({ spec, cluster, others }: AddOnProps<NodeFeatureDiscoverySpec>): void {
    const isNeeded = others.some((object) => selectsByLabel(object, NFD_LABELS.nicPresent));
    if (spec.rules && isNeeded && !others.some(setsNicLabel)) addObject(this, nicRule(cluster.isOpenshift));
    if (!spec.deploy) return;
    const parts = partsOf(spec, cluster);
    for (const object of [...accountsAndRoles(parts), ...workloads(parts)]) addObject(this, object);
  }
}

/**
 * The rule of the operator's chart: network-operator b06827e0, deployment/network-operator/templates/nodefeaturerules.yaml. On
 * OpenShift the Node Feature Discovery operator reads the same kind of its own API group (cluster-nfd-operator, api/v1alpha1).
 */
function nicRule(isOpenshift: boolean): KubernetesObject {
  return {
    apiVersion: isOpenshift ? 'nfd.openshift.io/v1alpha1' : 'nfd.k8s-sigs.io/v1alpha1',
    kind: 'NodeFeatureRule',
    metadata: {
      name: 'nvidia-nics-rules',
      annotations: KEPT,
    },
    spec: {
      rules: [
        {
          name: 'Nvidia NICs PCI',
          labels: { [`pci-${VENDOR}.present`]: 'true' },
          matchFeatures: [
            {
              feature: 'pci.device',
              matchExpressions: {
                vendor: { op: 'In', value: [VENDOR] },
                class: { op: 'In', value: NIC_CLASSES },
              },
            },
          ],
        },
      ],
    },
  };
}
