import deviceAttributes from '../../crds/deviceattributes.sriovnetwork.k8snetworkplumbingwg.io.json' with { type: 'json' };
import ovsNetworks from '../../crds/ovsnetworks.sriovnetwork.openshift.io.json' with { type: 'json' };
import sriovIbNetworks from '../../crds/sriovibnetworks.sriovnetwork.openshift.io.json' with { type: 'json' };
import nodePolicies from '../../crds/sriovnetworknodepolicies.sriovnetwork.openshift.io.json' with { type: 'json' };
import nodeStates from '../../crds/sriovnetworknodestates.sriovnetwork.openshift.io.json' with { type: 'json' };
import poolConfigs from '../../crds/sriovnetworkpoolconfigs.sriovnetwork.openshift.io.json' with { type: 'json' };
import sriovNetworks from '../../crds/sriovnetworks.sriovnetwork.openshift.io.json' with { type: 'json' };
import operatorConfigs from '../../crds/sriovoperatorconfigs.sriovnetwork.openshift.io.json' with { type: 'json' };
import resourcePolicies from '../../crds/sriovresourcepolicies.sriovnetwork.k8snetworkplumbingwg.io.json' with { type: 'json' };
import networkAttachments from '../../crds/network-attachment-definitions.k8s.cni.cncf.io.json' with { type: 'json' };
import type { ComponentCrd, RecordedCrd } from '../../crds/schema.js';

/** The operator reads its own kinds in its own namespace. */
const own = (recorded: RecordedCrd): ComponentCrd => ({ ...recorded, isInOwnNamespace: true });

/** The operator creates NetworkAttachmentDefinitions from its networks. */
export const definitions: readonly ComponentCrd[] = [
  own(deviceAttributes),
  networkAttachments,
  own(ovsNetworks),
  own(sriovIbNetworks),
  own(nodePolicies),
  own(nodeStates),
  own(poolConfigs),
  own(sriovNetworks),
  own(operatorConfigs),
  own(resourcePolicies),
];
