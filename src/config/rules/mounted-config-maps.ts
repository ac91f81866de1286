import { allComponents } from '../../components/registry.js';
import { suggest } from '../../diagnostics/suggest.js';
import type { Rule } from '../config.js';

/** Pods that mount a ConfigMap which is not there do not start. */
export const mountedConfigMapKnown: Rule = {
  code: 'WEFT0269',
  needsAllDocuments: true,
  *check({ instances, configMaps, cluster }) {
    for (const { id, mountsConfigMap } of allComponents) {
      for (const instance of mountsConfigMap ? (instances.get(id) ?? []) : []) {
        const name = mountsConfigMap?.(instance as never);
        if (name === undefined || configMaps.has(name)) continue;
        const candidate = suggest(name, [...configMaps.keys()]);
        const section = String(instance.origin.path.at(-1));
        yield {
          origin: instance.origin,
          at: 'key',
          message: `\`${section}\` has no \`config\`, and its pods mount the ConfigMap \`${name}\`, which no document defines`,
          help:
            candidate === undefined
              ? `give it a \`config\`; where somebody else keeps the ConfigMap in \`${cluster.namespace}\`, name it under \`spec.existingConfigMaps\` of the Cluster`
              : `there is \`${candidate}\`: the pods take no other name than \`${name}\``,
        };
      }
    }
  },
};
