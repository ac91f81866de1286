import ipPools from '../../crds/ippools.whereabouts.cni.cncf.io.json' with { type: 'json' };
import nodeSlicePools from '../../crds/nodeslicepools.whereabouts.cni.cncf.io.json' with { type: 'json' };
import reservations from '../../crds/overlappingrangeipreservations.whereabouts.cni.cncf.io.json' with { type: 'json' };
import networkAttachments from '../../crds/network-attachment-definitions.k8s.cni.cncf.io.json' with { type: 'json' };
import type { ComponentCrd } from '../../crds/schema.js';

/** Its programs watch NetworkAttachmentDefinitions. */
export const definitions: readonly ComponentCrd[] = [ipPools, networkAttachments, nodeSlicePools, reservations];
