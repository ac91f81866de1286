import type { DeliveryGroup } from './delivery-group.js';

/** Names with the cluster's name. */
interface Named {
  readonly namePrefix: string;
}

/** Name of the Application of a cluster. */
export function applicationName({ namePrefix }: Named, cluster: string): string {
  return `${namePrefix}${cluster}`;
}

/** Name of the Kustomization that applies a group of a cluster's objects. */
export function kustomizationName({ namePrefix }: Named, cluster: string, group: DeliveryGroup): string {
  return `${namePrefix}${cluster}-${group}`;
}

/** A folder below the one of the settings, which is `.` for the root of the repository. */
export function repositoryPath(folder: string, ...parts: readonly string[]): string {
  return [...(folder === '.' ? [] : [folder]), ...parts].join('/');
}
