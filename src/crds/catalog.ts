import type { KubernetesObject } from '../lib/kubernetes.js';
import cidrPools from './cidrpools.nv-ipam.nvidia.com.json' with { type: 'json' };
import ipPools from './ippools.nv-ipam.nvidia.com.json' with { type: 'json' };
import networkAttachmentDefinitions from './network-attachment-definitions.k8s.cni.cncf.io.json' with { type: 'json' };
import nicConfigurationTemplates from './nicconfigurationtemplates.configuration.net.nvidia.com.json' with { type: 'json' };
import nicDevices from './nicdevices.configuration.net.nvidia.com.json' with { type: 'json' };
import nicFirmwareSources from './nicfirmwaresources.configuration.net.nvidia.com.json' with { type: 'json' };
import nicFirmwareTemplates from './nicfirmwaretemplates.configuration.net.nvidia.com.json' with { type: 'json' };
import nicInterfaceNameTemplates from './nicinterfacenametemplates.configuration.net.nvidia.com.json' with { type: 'json' };
import spectrumXRailPoolConfigs from './spectrumxrailpoolconfigs.spectrumx.nvidia.com.json' with { type: 'json' };

/** A CustomResourceDefinition as data, and where it comes from. */
interface RecordedCrd {
  readonly source: { readonly project: string; readonly file: string; readonly version?: string };
  readonly crd: KubernetesObject;
}

const recorded: readonly RecordedCrd[] = [
  cidrPools,
  ipPools,
  networkAttachmentDefinitions,
  nicConfigurationTemplates,
  nicDevices,
  nicFirmwareSources,
  nicFirmwareTemplates,
  nicInterfaceNameTemplates,
  spectrumXRailPoolConfigs,
];

/** The CustomResourceDefinition of that name. An unknown name is our bug. */
export function findCrd(name: string): KubernetesObject {
  const found = recorded.find(({ crd }) => crd.metadata.name === name);
  if (!found) throw new Error(`src/crds has no CustomResourceDefinition ${name}`);
  return found.crd;
}
