import type { KubernetesObject } from '../lib/kubernetes.js';
import networkAttachmentDefinitions from './network-attachment-definitions.k8s.cni.cncf.io.json' with { type: 'json' };

/** A CustomResourceDefinition as data, and where it comes from. */
interface RecordedCrd {
  readonly source: { readonly project: string; readonly file: string; readonly version?: string };
  readonly crd: KubernetesObject;
}

const recorded: readonly RecordedCrd[] = [networkAttachmentDefinitions];

/** The CustomResourceDefinition of that name. An unknown name is our bug. */
export function findCrd(name: string): KubernetesObject {
  const found = recorded.find(({ crd }) => crd.metadata.name === name);
  if (!found) throw new Error(`src/crds has no CustomResourceDefinition ${name}`);
  return found.crd;
}
