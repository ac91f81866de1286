import type { ComponentCrd } from '../../crds/schema.js';
import networkAttachmentDefinitions from '../../crds/network-attachment-definitions.k8s.cni.cncf.io.json' with { type: 'json' };

export const crds: readonly ComponentCrd[] = [networkAttachmentDefinitions];
