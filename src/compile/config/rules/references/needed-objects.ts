import { allAddOns } from '../../../addons/all.js';
import { allComponents } from '../../../components/all.js';
import type { NeededObject } from '../../../components/component.js';
import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { textAt } from '../../../../shared/lib/json.js';
import { memoized } from '../../../../shared/lib/memo.js';
import { missingKey } from '../config-maps/missing-key.js';
import { formatPath } from '../../../model/issues.js';
import {
  within,
  type Config,
  type KnownConfigMap,
  type Origin,
  type Rule,
  type Violation,
} from '../../../model/config.js';

/** A needed object, and the section that names it. */
interface Need {
  readonly needed: NeededObject;
  readonly section: string;
  readonly origin: Origin;
}

function* needs({ instances, addOns, cluster }: Config): Iterable<Need> {
  for (const { id, source, neededObjects } of allComponents) {
    for (const { spec, origin } of instances.get(id) ?? []) {
      const section = source.path.join('.');
      for (const needed of neededObjects?.(spec) ?? []) yield { needed, section, origin };
    }
  }
  for (const { id, source, neededObjects } of allAddOns) {
    if (!addOns.has(id)) continue;
    const section = source.path.join('.');
    const origin = within(cluster.origin, 'spec', ...source.path);
    for (const needed of neededObjects?.(addOns.get(id)) ?? []) yield { needed, section, origin };
  }
}

interface Names {
  readonly here: readonly string[];
  readonly elsewhere: readonly string[];
}

/** The names of a kind's objects in the namespace of the Cluster, and in others. Where those are applied that name no namespace is not known. */
function namesOf({ configMaps, passthrough, cluster }: Config, kind: NeededObject['kind']): Names {
  if (kind === 'ConfigMap') return { here: [...configMaps.keys()], elsewhere: [] };
  const all = passthrough.flatMap(({ object }) => {
    const name = object['kind'] === kind ? textAt(object, 'metadata', 'name') : undefined;
    const isHere = (textAt(object, 'metadata', 'namespace') ?? cluster.namespace) === cluster.namespace;
    return name === undefined ? [] : [{ name, isHere }];
  });
  const where = (isMeant: boolean) => all.flatMap(({ name, isHere }) => (isHere === isMeant ? [name] : []));
  return { here: where(true), elsewhere: where(false) };
}

const pathText = (section: string, { path }: NeededObject): string => formatPath([section, ...path]);

/** `create: false` says that the object exists: then only a name that is almost another one, or one of another namespace, is a mistake. */
function missing({ needed, section, origin }: Need, config: Config, names: Names): readonly Violation[] {
  const { kind, name, path } = needed;
  const { namespace } = config.cluster;
  const meant = didYouMean(name, names.here);
  const isElsewhere = names.elsewhere.includes(name);
  if (kind !== 'ConfigMap' && meant === undefined && !isElsewhere) return [];
  return [
    {
      origin: within(origin, ...path),
      message: `\`${pathText(section, needed)}\` names the ${kind} \`${name}\`, which no document defines in namespace \`${namespace}\``,
      label: 'the pods do not start without it',
      help: isElsewhere
        ? 'it is in another namespace, where pods do not find it'
        : (meant ??
          `add it; where something else keeps the ConfigMap in \`${namespace}\`, name it under \`spec.existingConfigMaps\` of the Cluster`),
    },
  ];
}

function withoutKey({ needed, section, origin }: Need, known: KnownConfigMap): readonly Violation[] {
  const { key, name, path } = needed;
  if (key === undefined) return [];
  const lack = missingKey(key, known);
  if (lack === undefined) return [];
  return [
    {
      origin: within(origin, ...path),
      message: `\`${pathText(section, needed)}\` names the ConfigMap \`${name}\`, of which pods read the key \`${key}\`, and it has no such key`,
      ...lack,
    },
  ];
}

/** Pods do not start without the ConfigMap, the claim or the account that they name. Those of the driver's mounts are errors of another rule. */
export const neededObjectKnown: Rule = {
  code: 'WEFT0269',
  severity: 'warning',
  title: 'an object that pods need is not in the input',
  needsAllDocuments: true,
  *check(config) {
    const namesFor = memoized((kind: NeededObject['kind']) => namesOf(config, kind));
    for (const need of needs(config)) {
      const { kind, name } = need.needed;
      const known = kind === 'ConfigMap' ? config.configMaps.get(name) : undefined;
      const names = namesFor(kind);
      if (known) yield* withoutKey(need, known);
      else if (!names.here.includes(name)) yield* missing(need, config, names);
    }
  },
};
