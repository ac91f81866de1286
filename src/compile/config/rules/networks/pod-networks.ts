import { NETWORKS_ANNOTATION, selectedNetworks } from '../../../../shared/kubernetes/pod-workload.js';
import { podTemplatePaths } from '../../../../shared/kubernetes/pod-templates.js';
import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { isObject, textAt, valueAt } from '../../../../shared/lib/json.js';
import { within, type Rule } from '../../../model/config.js';
import { isUnfilled } from '../../../model/unfilled.js';
import { attachmentsOf, type Attachment } from './attachments.js';

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

/** Annotations of this group that others write or read. */
const OTHER_ANNOTATIONS: readonly string[] = ['network-status', 'networks-status', 'resourceName'].map(
  (name) => `k8s.v1.cni.cncf.io/${name}`,
);

interface AnnotationProblem {
  readonly key: string;
  readonly fact: string;
  readonly help: string;
}

/** Annotations that Multus cannot read, or does not look at: the pod does not start, or has no further network. */
function annotationProblems(annotations: Readonly<Record<string, unknown>>): readonly AnnotationProblem[] {
  return Object.entries(annotations).flatMap(([key, value]): readonly AnnotationProblem[] => {
    if (key === NETWORKS_ANNOTATION) {
      if (typeof value !== 'string' || isUnfilled(value) || isReadable(value)) return [];
      const help = 'correct the JSON, or write names with commas between them';
      return [{ key, fact: 'which is neither JSON nor names of networks', help }];
    }
    const help = OTHER_ANNOTATIONS.includes(key) ? undefined : didYouMean(key, [NETWORKS_ANNOTATION]);
    return help === undefined ? [] : [{ key, fact: 'which nothing reads', help }];
  });
}

function isReadable(annotation: string): boolean {
  try {
    return selectedNetworks(annotation).every(isObject);
  } catch {
    return false;
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
  title: 'a pod does not get a network that it names',
  needsAllDocuments: true,
  *check(config) {
    const known = namespacesByName(attachmentsOf(config));
    for (const { object, origin } of config.passthrough) {
      for (const template of podTemplatePaths(object)) {
        const at = [...template, 'metadata', 'annotations'];
        const annotations = valueAt(object, at);
        if (!isObject(annotations)) continue;
        const annotation = annotations[NETWORKS_ANNOTATION];
        const { name: owner, namespace: own } = object['metadata'] as {
          readonly name?: string;
          readonly namespace?: string;
        };
        for (const { key, fact, help } of annotationProblems(annotations)) {
          yield {
            origin: within(origin, ...at, key),
            at: 'key',
            message: `the pods of ${String(object['kind'])} \`${owner ?? ''}\` have the annotation \`${key}\`, ${fact}`,
            help,
          };
        }
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
