import { SRIOV_GROUP } from '../../../../shared/contract/labels.js';
import { isObject, textAt } from '../../../../shared/lib/json.js';
import { apiGroup } from '../../../../shared/kubernetes/names.js';
import { networkKinds } from '../../../networks/all.js';
import { READER_OF_ATTACHMENTS } from '../../../networks/cni/attachment.js';
import type { Config, NetworkInstance, Origin, PassthroughObject } from '../../../model/config.js';

/** A document that is a NetworkAttachmentDefinition, or from which Weft or a controller creates one. */
export interface Attachment {
  readonly kind: string;
  readonly name: string;
  /** Namespace of the NetworkAttachmentDefinition. Without one, kubectl puts it into `default`. */
  readonly namespace: string;
  /** Namespace of the document itself; empty when it has none. */
  readonly ownNamespace: string;
  /** The field of `spec` with the IPAM configuration, or with CNI configurations that contain one. */
  readonly ipamField: 'ipam' | 'config';
  /** The capabilities that its nodes need, by id. */
  readonly requires: readonly string[];
  readonly spec: Readonly<Record<string, unknown>>;
  /** The resource whose devices Multus hands to the plugins of a NetworkAttachmentDefinition. */
  readonly resourceName?: string | undefined;
  readonly origin: Origin;
}

/**
 * Kinds from which the SR-IOV operator creates one (sriov-network-operator v1.6.0, api/v1/helper.go `RenderNetAttDef`).
 */
const OF_SRIOV_OPERATOR: readonly string[] = ['SriovNetwork', 'SriovIBNetwork', 'OVSNetwork'];

function isOfSriovOperator({ object: { apiVersion, kind } }: PassthroughObject): boolean {
  return apiGroup(String(apiVersion)) === SRIOV_GROUP && OF_SRIOV_OPERATOR.includes(String(kind));
}

function isDefinition({ object: { apiVersion, kind } }: PassthroughObject): boolean {
  return apiGroup(String(apiVersion)) === 'k8s.cni.cncf.io' && kind === 'NetworkAttachmentDefinition';
}

function ofNetwork({ kind, name, spec, origin }: NetworkInstance): Attachment {
  const { networkNamespace } = spec as { readonly networkNamespace?: string };
  return {
    kind,
    name,
    namespace: networkNamespace || 'default',
    ownNamespace: '',
    ipamField: 'ipam',
    requires: networkKinds.find((one) => one.kind === kind)?.requires ?? [],
    spec: spec as Attachment['spec'],
    origin,
  };
}

/** The SR-IOV operator creates it in `networkNamespace`, by default in the namespace of the document. */
function ofObject(passed: PassthroughObject): Attachment {
  const { object, origin } = passed;
  const { name, namespace = '' } = object['metadata'] as { readonly name: string; readonly namespace?: string };
  const spec = isObject(object['spec']) ? object['spec'] : {};
  const { networkNamespace } = spec;
  const target = typeof networkNamespace === 'string' && networkNamespace !== '' ? networkNamespace : namespace;
  return {
    kind: String(object['kind']),
    name,
    namespace: target || 'default',
    ownNamespace: namespace,
    ipamField: isDefinition(passed) ? 'config' : 'ipam',
    requires: [READER_OF_ATTACHMENTS],
    spec,
    resourceName: textAt(object, 'metadata', 'annotations', 'k8s.v1.cni.cncf.io/resourceName'),
    origin,
  };
}

/** All documents that become a NetworkAttachmentDefinition; the networks of Weft first. */
export function attachmentsOf({ networks, passthrough }: Config): readonly Attachment[] {
  const objects = passthrough.filter((passed) => isDefinition(passed) || isOfSriovOperator(passed));
  return [...networks.map(ofNetwork), ...objects.map(ofObject)];
}
