import { NETWORKS_ANNOTATION, selectedNetworks } from '../../../../shared/kubernetes/pod-workload.js';
import { POD_TEMPLATES } from '../../../../shared/kubernetes/pod-templates.js';
import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { isObject, textAt, valueAt } from '../../../../shared/lib/json.js';
import { within, type Rule } from '../../../model/config.js';
import { attachmentsOf, type Attachment } from './attachments.js';

/** Where pods have their annotations, of whatever kind the object is. */
const ANNOTATIONS = [...new Set(POD_TEMPLATES.values())].map((template) => [...template, 'metadata', 'annotations']);

/** The name and the namespace of each network that an annotation selects; none if it cannot be read. */
function networksOf(annotation: unknown): readonly { readonly name: string; readonly namespace: string }[] {
  if (typeof annotation !== 'string') return [];
  try {
    return selectedNetworks(annotation).flatMap((one) => {
      const name = textAt(one, 'name');
      return name === undefined || name === '' ? [] : [{ name, namespace: textAt(one, 'namespace') ?? '' }];
    });
  } catch {
    return [];
  }
}

/** Multus looks for a network in the namespace of the pod if the annotation names none. Without one in the pod either, any counts. */
function isThere(attachments: readonly Attachment[], name: string, namespace: string): boolean {
  return attachments.some((one) => one.name === name && (namespace === '' || one.namespace === namespace));
}

/** Multus starts no pod whose network it does not find. */
export const podNetworkDefined: Rule = {
  code: 'WEFT0347',
  severity: 'warning',
  title: 'a pod names a network that no document makes',
  needsAllDocuments: true,
  *check(config) {
    const attachments = attachmentsOf(config);
    for (const { object, origin } of config.passthrough) {
      for (const at of ANNOTATIONS) {
        const annotations = valueAt(object, at);
        const annotation = isObject(annotations) ? annotations[NETWORKS_ANNOTATION] : undefined;
        const { name: owner, namespace: own } = object['metadata'] as {
          readonly name?: string;
          readonly namespace?: string;
        };
        for (const { name, namespace } of networksOf(annotation)) {
          const place = namespace || (own ?? '');
          if (isThere(attachments, name, place)) continue;
          const elsewhere = attachments.find((one) => one.name === name);
          yield {
            origin: within(origin, ...at, NETWORKS_ANNOTATION),
            message: `the pods of ${String(object['kind'])} \`${owner ?? ''}\` name the network \`${name}\`${place && ` of namespace \`${place}\``}, which no document makes`,
            help:
              (elsewhere && `write \`${elsewhere.namespace}/${name}\`: the network is in that namespace`) ??
              didYouMean(
                name,
                attachments.map((one) => one.name),
              ) ??
              'add it; if something else makes it, write `# weft-ignore WEFT0347: reason` above it',
          };
        }
      }
    }
  },
};
