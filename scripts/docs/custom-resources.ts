import type { CrdSchema } from '../../src/compile/crds/schema.js';
import { TRANSITION_RULES } from '../../src/compile/crds/validations.js';
import { crdKinds } from '../../src/compile/passthrough/kinds.js';
import { GENERATED, table } from './markdown.js';
import type { Page } from './pages.js';

interface LocatedRule {
  readonly path: string;
  readonly rule: string;
}

/** Rules of a schema, with the fields that they are about. */
function rulesIn(schema: CrdSchema, path: string): readonly LocatedRule[] {
  const { properties = {}, additionalProperties, items } = schema;
  return [
    ...(schema['x-kubernetes-validations'] ?? []).map(({ rule }) => ({ path, rule })),
    ...Object.entries(properties).flatMap(([key, inner]) => rulesIn(inner, path === '' ? key : `${path}.${key}`)),
    ...(items ? rulesIn(items, `${path}[]`) : []),
    ...(additionalProperties ? rulesIn(additionalProperties, `${path}.<key>`) : []),
  ];
}

const code = (text: string) => `\`${text}\``;

/** Kinds whose objects are checked against their definition, and what is not checked. */
export function customResourcesPage(): Page {
  const kinds = [...crdKinds].sort((a, b) => (`${a.apiVersion} ${a.kind}` < `${b.apiVersion} ${b.kind}` ? -1 : 1));
  const rows = kinds.map(({ apiVersion, kind, description, rules: codes, isInOwnNamespace, source }) => [
    kind,
    `\`${apiVersion}\``,
    description,
    codes.map((one) => `[${one}](../errors/${one}.md)`).join(', '),
    isInOwnNamespace ? 'that of the Cluster' : '',
    `${source.project} ${source.version ?? ''}, \`${source.file}\``,
  ]);
  const rules = kinds.flatMap(({ kind, schema }) =>
    rulesIn(schema, '').map(({ path, rule }) => [
      kind,
      `\`${path}\``,
      code(rule),
      TRANSITION_RULES.includes(rule) ? 'no: it compares with the object in the cluster' : 'yes',
    ]),
  );
  const text = [
    '# Custom resources',
    GENERATED,
    'Objects of these kinds are documents: Weft checks them against their definition and writes them to the output. Unknown keys are ' +
      'errors. *Rules* are those about several documents. *Namespace* is the default namespace of an object. For kinds that users ' +
      'write, the library and `cluster.ts` have types: `IPPoolDocument`, `SriovNetworkDocument` …',
    table(['kind', 'API version', 'meaning', 'rules', 'namespace', 'definition'], rows),
    '## Rules of the definitions',
    'Rules in the Common Expression Language (`x-kubernetes-validations`), and whether Weft evaluates them.',
    table(['kind', 'field', 'rule', 'evaluated'], rules),
  ];
  return { path: 'docs/reference/custom-resources.md', text: `${text.join('\n\n')}\n` };
}
