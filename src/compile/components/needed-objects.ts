import type { EnvVar } from '../model/shapes/pod.js';
import type { NeededObject } from './component.js';

/** The ConfigMaps from which the variables of a section are taken. */
export function ofVariables(env: readonly EnvVar[] = []): readonly NeededObject[] {
  return env.flatMap(({ valueFrom }, index): readonly NeededObject[] => {
    const { name, key, optional } = valueFrom?.configMapKeyRef ?? {};
    if (name === undefined || optional === true) return [];
    return [
      { kind: 'ConfigMap', name, path: ['env', index, 'valueFrom', 'configMapKeyRef', 'name'], ...(key && { key }) },
    ];
  });
}
