import { allComponents } from '../../../components/all.js';
import { isObject } from '../../../../shared/lib/json.js';
import { within, type PassthroughObject, type Rule } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';

/** Whether the input shows that the API is installed: it has an object of the API, or its definition. */
function isSignOf(group: string, { object }: PassthroughObject): boolean {
  const { apiVersion, kind, spec } = object;
  const isDefinition = kind === 'CustomResourceDefinition' && isObject(spec) && spec['group'] === group;
  return isDefinition || String(apiVersion).startsWith(`${group}/`);
}

/** The API server refuses objects of an API that is not installed, and pods that depend on them do not start. */
export const foreignApis: Rule = {
  code: 'WEFT0266',
  severity: 'warning',
  title: 'an API that a component needs is not in the input',
  needsAllDocuments: true,
  *check({ instances, cluster, passthrough }) {
    for (const { id, foreignApis: needed } of allComponents) {
      for (const instance of needed ? (instances.get(id) ?? []) : []) {
        for (const { group, path } of needed?.(instance.spec, cluster) ?? []) {
          if (passthrough.some((one) => isSignOf(group, one))) continue;
          const origin = within(instance.origin, ...path);
          yield {
            origin,
            message: `\`${formatPath(origin.path)}\` needs the API \`${group}\`, of which the input has nothing`,
            help: `install what brings \`${group}\` first; it may live elsewhere in the cluster`,
          };
        }
      }
    }
  },
};
