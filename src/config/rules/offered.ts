import { allComponents } from '../../components/registry.js';
import type { Config } from '../config.js';

/** Full names of what the device plugins of the input offer. */
export function offeredResources({ instances }: Config): readonly string[] {
  return allComponents.flatMap(({ id, offers }) =>
    (instances.get(id) ?? []).flatMap(({ spec }) => (offers?.(spec as never) ?? []).map(({ name }) => name)),
  );
}

/** The name of a resource without its prefix. */
export function bareName(resource: string): string {
  return resource.slice(resource.indexOf('/') + 1);
}
