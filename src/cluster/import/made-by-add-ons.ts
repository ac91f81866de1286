import { resolve } from '../../compile/config/resolve.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { identityOf } from '../../shared/kubernetes/identity.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject } from '../../shared/lib/json.js';
import { listed } from '../../shared/lib/listed.js';
import { loadYaml } from '../../compile/load/yaml/yaml.js';
import { fieldChanges } from '../changes/fields.js';
import { buildObjects } from '../../compile/synth.js';
import { documentText } from './files.js';
import type { Imported, ImportedDocument } from './source.js';

/** How many fields a message names; the others are counted. */
const SHOWN = 5;

/**
 * Without the documents that an add-on of the Cluster renders: the configuration of an operator is a part of its section. What differs
 * there is said.
 */
export function withoutMadeByAddOns(cluster: ImportedDocument, documents: readonly ImportedDocument[]): Imported {
  const spec = isObject(cluster.value['spec']) ? cluster.value['spec'] : {};
  const isDeployed = Object.values(spec).some((section) => isObject(section) && section['deploy'] === true);
  if (!isDeployed || documents.length === 0) return { documents, findings: [] };
  const { config } = resolve(loadYaml('cluster.yaml', documentText(cluster)));
  const objects = config ? buildObjects(config).objects.map(({ object }) => object) : [];
  const made = new Map(objects.map((object) => [identityOf(object), object]));
  const findings: Diagnostic[] = [];
  const kept = documents.filter((document) => {
    const rendered = made.get(identityOf({ ...document, metadata: document }));
    if (rendered) findings.push(...differing(document, rendered));
    return rendered === undefined;
  });
  return { documents: kept, findings };
}

function differing({ kind, name, value }: ImportedDocument, rendered: KubernetesObject): readonly Diagnostic[] {
  const paths = fieldChanges(rendered['spec'], value['spec'])
    // A default of the definition is in neither of them.
    .filter((change) => change.kind === 'changed' || change.kind === 'added')
    .map(({ path }) => `\`spec.${path}\``);
  if (paths.length === 0) return [];
  const verb = paths.length === 1 ? 'is' : 'are';
  return [
    diagnostic('WEFT0560', {
      message: `${listed(paths, SHOWN)} of ${kind} \`${name}\` ${verb} not carried over: an add-on of the Cluster renders it, by the values of the chart`,
      help: 'write what the cluster has into the section of the add-on',
    }),
  ];
}
