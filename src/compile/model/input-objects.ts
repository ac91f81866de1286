import { isObject } from '../../shared/lib/json.js';
import { apiGroup } from '../../shared/kubernetes/names.js';
import type { Config, Origin } from './config.js';

/** An object of the input. */
export interface InputObject {
  readonly name: string;
  readonly namespace: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
}

/** The objects of one kind, whatever the version of its API. */
export function objectsOf({ passthrough }: Config, group: string, kind: string): readonly InputObject[] {
  return passthrough.flatMap(({ object, origin }) => {
    if (object['kind'] !== kind || apiGroup(String(object['apiVersion'])) !== group) return [];
    const { name, namespace = '' } = object['metadata'] as { readonly name: string; readonly namespace?: string };
    return [{ name, namespace, spec: isObject(object['spec']) ? object['spec'] : {}, origin }];
  });
}

/** API group of NV-IPAM. */
export const NV_IPAM_GROUP = 'nv-ipam.nvidia.com';
