import type { KubernetesObject } from '../lib/kubernetes.js';
import type { CrdSchema } from './schema.js';
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

/** A kind that one of the definitions brings. */
export interface CrdKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: CrdSchema;
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: CrdSchema } }[];
}

/** Every kind of the definitions, in each of its versions. */
export const crdKinds: readonly CrdKind[] = recorded.flatMap(({ crd }) => {
  const { group, names, versions } = crd['spec'] as DefinitionSpec;
  return versions.map(({ name, schema }) => ({
    apiVersion: `${group}/${name}`,
    kind: names.kind,
    schema: schema.openAPIV3Schema,
  }));
});

/** The CustomResourceDefinition of that name. An unknown name is our bug. */
export function findCrd(name: string): KubernetesObject {
  const found = recorded.find(({ crd }) => crd.metadata.name === name);
  if (!found) throw new Error(`src/crds has no CustomResourceDefinition ${name}`);
  return found.crd;
}
