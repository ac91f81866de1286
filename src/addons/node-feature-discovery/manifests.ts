import { Construct } from 'constructs';
import { KEEP_ANNOTATIONS, NFD_LABELS, REMOVAL_ANNOTATION } from '../../contract/labels.js';
import { addObject } from '../../kubernetes/objects.js';
import { selectsByLabel } from '../../kubernetes/node-selection.js';
import type { KubernetesObject } from '../../kubernetes/types.js';
import type { AddOnProps } from '../add-on.js';
import type { NodeFeatureDiscoverySpec } from './schema.js';

/** PCI classes of network controllers: Ethernet, InfiniBand (PCI Code and ID Assignment Specification, base class 02h). */
const NIC_CLASSES = ['0200', '0207'];
/** PCI id of the vendor Mellanox. */
const VENDOR = '15b3';

/** What a cluster's Node Feature Discovery is told. Adds nothing where no object selects by the labels of the rule. */
export class NodeFeatureDiscovery extends Construct {
  constructor(scope: Construct, id: string, { spec, cluster, others }: AddOnProps<NodeFeatureDiscoverySpec>) {
    super(scope, id);
    const isNeeded = others.some((object) => selectsByLabel(object, NFD_LABELS.nicPresent));
    if (spec.rules && isNeeded) addObject(this, nicRule(cluster.isOpenshift));
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
      annotations: { ...KEEP_ANNOTATIONS, [REMOVAL_ANNOTATION]: 'drain' },
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
