import { allAddOns } from '../../../addons/all.js';
import { allComponents } from '../../../components/all.js';
import type { ComponentCrd } from '../../../crds/schema.js';
import type { NamedObject } from '../../../../shared/kubernetes/listed-object.js';
import { apiGroup } from '../../../../shared/kubernetes/names.js';
import { textAt, valueAt } from '../../../../shared/lib/json.js';
import { within, type Config, type PassthroughObject, type Rule } from '../../../model/config.js';
import { passthroughKinds } from '../../../passthrough/table.js';
import { networksThatNeed } from '../networks/network-capabilities.js';
import { installedBy } from './installed-operators.js';

/** A program that Weft can install, and that reads objects which users write. */
interface Reader {
  readonly id: string;
  /** `group/kind` of what it reads. */
  readonly kinds: ReadonlySet<string>;
  readonly isInstalled: (config: Config) => boolean;
  readonly help: string;
}

const kindIn = (group: string, kind: string): string => `${group}/${kind}`;
const groupOf = (crd: unknown): string => textAt(crd, 'spec', 'group') ?? '';

/** NetworkAttachmentDefinitions are networks, and WEFT0265 says what those need. */
const writtenByUsers: ReadonlySet<string> = new Set(
  passthroughKinds
    .filter(({ writtenBy, kind }) => writtenBy === 'people' && kind !== 'NetworkAttachmentDefinition')
    .map(({ group, kind }) => kindIn(group, kind)),
);

const kindsOf = (definitions: readonly ComponentCrd[]): ReadonlySet<string> =>
  new Set(
    definitions
      .map(({ crd }) => kindIn(groupOf(crd), textAt(crd, 'spec', 'names', 'kind') ?? ''))
      .filter((kind) => writtenByUsers.has(kind)),
  );

const components = allComponents.map(({ id, crds, provides = [], source }): Reader => ({
  id,
  kinds: kindsOf(crds),
  // Where networks need it, WEFT0265 says so.
  isInstalled: (config) => config.instances.has(id) || networksThatNeed(config, provides).length > 0,
  help: `add \`${source.path.join('.')}\` to the NicClusterPolicy`,
}));

/** What labels nodes is in each cluster, installed by whatever: Weft renders a rule for it in any case. */
const addOns = allAddOns
  .filter(({ nodeLabels }) => nodeLabels === undefined)
  .map(({ id, definitions, installedAs, source: { path } }): Reader => ({
    id,
    kinds: kindsOf(definitions),
    isInstalled: ({ addOns: sections, passthrough }) =>
      valueAt(sections.get(id), ['deploy']) === true ||
      passthrough.some(({ object }) => installedBy(object as NamedObject).some((name) => installedAs.includes(name))),
    help: `write \`${path[0]}: {deploy: true}\` in the \`spec\` of the Cluster document`,
  }));

const readers = [...components, ...addOns].filter(({ kinds }) => kinds.size > 0);

const kindOf = ({ object }: PassthroughObject): string =>
  kindIn(apiGroup(String(object['apiVersion'])), String(object['kind']));

/** Whether a document brings the definition of a kind of the program, and with it most likely the program. */
function isDefined({ passthrough }: Config, { kinds }: Reader): boolean {
  return passthrough.some(
    ({ object }) =>
      object['kind'] === 'CustomResourceDefinition' &&
      kinds.has(kindIn(groupOf(object), textAt(object, 'spec', 'names', 'kind') ?? '')),
  );
}

/** Without the definitions of the program the API server refuses the objects, and without the program nothing becomes of them. */
export const objectsRead: Rule = {
  code: 'WEFT0351',
  severity: 'warning',
  title: 'nothing of the input reads an object',
  needsAllDocuments: true,
  *check(config) {
    for (const reader of readers) {
      const objects = config.passthrough.filter((one) => reader.kinds.has(kindOf(one)));
      const [first] = objects;
      if (first === undefined || reader.isInstalled(config) || isDefined(config, reader)) continue;
      const name = String(valueAt(first.object, ['metadata', 'name']));
      const others = objects.length === 1 ? '' : ` and ${objects.length - 1} more`;
      yield {
        origin: within(first.origin, 'metadata', 'name'),
        message: `nothing of the input reads ${String(first.object['kind'])} \`${name}\`${others}: \`${reader.id}\` does, which it does not install`,
        help: `${reader.help}; if it is installed by something else, write \`# weft-ignore WEFT0351: reason\` above it`,
      };
    }
  },
};
