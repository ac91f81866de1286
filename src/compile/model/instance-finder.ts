import type { Config, Instance } from './config.js';

/** Finds the instance of a component by the component's id and the label of the policy that has it. */
export function instanceFinder({
  instances,
}: Pick<Config, 'instances'>): (component: string, owner: string) => Instance | undefined {
  const known = new Map(
    [...instances].map(([id, own]) => [id, new Map(own.map((one) => [one.owner.label, one]))] as const),
  );
  return (component, owner) => known.get(component)?.get(owner);
}
