import { allComponents } from '../../../components/all.js';
import type { MountedConfigMap } from '../../../components/component.js';
import { suggest } from '../../../../shared/diagnostics/suggest.js';
import { type Config, type Violation, type Instance, type KnownConfigMap, type Rule } from '../../../model/config.js';
import { missingKey } from './missing-key.js';
import { mountedBy, mountedText } from './mounted-texts.js';

function* mountedConfigMaps({ instances }: Config) {
  for (const component of allComponents) {
    for (const instance of instances.get(component.id) ?? []) {
      const mounted = mountedBy(component, instance);
      if (mounted) yield { component, instance, mounted };
    }
  }
}

const sectionOf = ({ origin }: Instance) => String(origin.path.at(-1));

function missing(instance: Instance, { name, field }: MountedConfigMap, { configMaps, cluster }: Config): Violation {
  const candidate = suggest(name, [...configMaps.keys()]);
  return {
    origin: instance.origin,
    at: 'key',
    message: `\`${sectionOf(instance)}\` has no \`${field}\`, and its pods mount the ConfigMap \`${name}\`, which no document defines`,
    help:
      candidate === undefined
        ? `give it a \`${field}\`; where something else keeps the ConfigMap in \`${cluster.namespace}\`, name it under \`spec.existingConfigMaps\` of the Cluster`
        : `there is \`${candidate}\`: the pods take no other name than \`${name}\``,
  };
}

/** A ConfigMap that lacks the key that pods read. */
function withoutKey(instance: Instance, { name, key, field }: MountedConfigMap, known: KnownConfigMap): Violation[] {
  const lack = missingKey(key, known);
  if (lack === undefined) return [];
  return [
    {
      origin: instance.origin,
      at: 'key',
      message: `\`${sectionOf(instance)}\` has no \`${field}\`, and its pods mount \`${key}\` of the ConfigMap \`${name}\`, which has no such key`,
      ...lack,
    },
  ];
}

/** Pods that mount a missing ConfigMap, or a missing key of one, do not start. */
export const mountedConfigMapKnown: Rule = {
  code: 'WEFT0269',
  severity: 'warning',
  title: 'an object that pods need is not in the input',
  needsAllDocuments: true,
  *check(config) {
    for (const { instance, mounted } of mountedConfigMaps(config)) {
      const known = config.configMaps.get(mounted.name);
      if (known) yield* withoutKey(instance, mounted, known);
      else yield missing(instance, mounted, config);
    }
  },
};

/** A ConfigMap that replaces `config` of a section is checked like the section, because the pods read it instead. */
export const mountedConfigMapValid: Rule = {
  code: 'WEFT0143',
  severity: 'error',
  title: 'a value is not allowed',
  *check(config) {
    for (const { component, mounted } of mountedConfigMaps(config)) {
      yield* mountedText(component, mounted, config)?.problems ?? [];
    }
  },
};
