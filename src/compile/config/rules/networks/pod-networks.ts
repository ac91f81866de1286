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

/** The namespaces of all networks by name. */
function namespacesByName(attachments: readonly Attachment[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name, namespace } of attachments) found.set(name, (found.get(name) ?? new Set()).add(namespace));
  return found;
}

/** Multus starts no pod whose network it does not find. */
export const podNetworkDefined: Rule = {
  code: 'WEFT0347',
  severity: 'warning',
  title: 'a pod names a network that no document makes',
  needsAllDocuments: true,
  *check(config) {
    const known = namespacesByName(attachmentsOf(config));
    for (const { object, origin } of config.passthrough) {
      for (const at of ANNOTATIONS) {
        const annotations = valueAt(object, at);
        const annotation = isObject(annotations) ? annotations[NETWORKS_ANNOTATION] : undefined;
        const { name: owner, namespace: own } = object['metadata'] as {
          readonly name?: string;
          readonly namespace?: string;
        };
        for (const { name, namespace } of networksOf(annotation)) {
          // Multus looks in the namespace of the pod if the annotation names none. Without one in the pod either, any counts.
          const place = namespace || (own ?? '');
          const namespaces = known.get(name);
          if (namespaces !== undefined && (place === '' || namespaces.has(place))) continue;
          const [elsewhere] = namespaces ?? [];
          yield {
            origin: within(origin, ...at, NETWORKS_ANNOTATION),
            message: `the pods of ${String(object['kind'])} \`${owner ?? ''}\` name the network \`${name}\`${place && ` of namespace \`${place}\``}, which no document makes`,
            help:
              elsewhere === undefined
                ? (didYouMean(name, [...known.keys()]) ??
                  'add it; if something else makes it, write `# weft-ignore WEFT0347: reason` above it')
                : `write \`${elsewhere}/${name}\`: the network is in that namespace`,
          };
        }
      }
    }
  },
};
