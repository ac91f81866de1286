import type { NetworkAttachmentDefinitionSpec } from '../../../../imports/k8s.cni.cncf.io.js';
import { STATE_LABEL } from '../../../shared/contract/labels.js';
import type { NetworkAttachmentObject, StringMap } from '../../../shared/kubernetes/types.js';

/** CNI version of the operator's templates (network-operator b06827e0, manifests/state-macvlan-network and others). */
const CNI_VERSION = '0.3.1';

/** The capability that every NetworkAttachmentDefinition requires: a meta plugin that reads them. */
export const READER_OF_ATTACHMENTS = 'multus';

/** The input of one NetworkAttachmentDefinition. */
interface Attachment {
  readonly name: string;
  /** Empty for `default`. */
  readonly namespace: string | undefined;
  /** Name of the state in the operator's status. */
  readonly statusName: string;
  /** Configuration of the main CNI plugin; keys are rendered in this order. */
  readonly plugin: Readonly<Record<string, unknown>>;
  /** Plugins that run after it. */
  readonly metaPlugins?: readonly unknown[];
  readonly annotations?: StringMap;
}

/**
 * A NetworkAttachmentDefinition. Its configuration is JSON on several lines, so that the diff of a changed field is one
 * line. With meta plugins it is a configuration list that begins with the main plugin.
 */
export function networkAttachment(attachment: Attachment): NetworkAttachmentObject {
  const { name, statusName, plugin, metaPlugins = [], annotations } = attachment;
  const body = metaPlugins.length === 0 ? plugin : { plugins: [plugin, ...metaPlugins] };
  const config = JSON.stringify({ cniVersion: CNI_VERSION, name, ...body }, null, 2);
  return {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: {
      name,
      namespace: attachment.namespace || 'default',
      labels: { [STATE_LABEL]: statusName },
      ...(annotations && { annotations }),
    },
    spec: { config } satisfies NetworkAttachmentDefinitionSpec,
  };
}
