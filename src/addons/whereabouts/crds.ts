import ipPools from '../../crds/ippools.whereabouts.cni.cncf.io.json' with { type: 'json' };
import nodeSlicePools from '../../crds/nodeslicepools.whereabouts.cni.cncf.io.json' with { type: 'json' };
import reservations from '../../crds/overlappingrangeipreservations.whereabouts.cni.cncf.io.json' with { type: 'json' };
import networkAttachments from '../../crds/network-attachment-definitions.k8s.cni.cncf.io.json' with { type: 'json' };
import type { ComponentCrd, RecordedCrd } from '../../crds/schema.js';
import type { WhereaboutsSpec } from './schema.js';

export const definitions: readonly ComponentCrd[] = [ipPools, networkAttachments, nodeSlicePools, reservations];

/** The definitions that come with what is deployed. Its programs watch NetworkAttachmentDefinitions. */
export function crds({ deploy }: WhereaboutsSpec): readonly RecordedCrd[] {
  return deploy ? definitions : [];
}
