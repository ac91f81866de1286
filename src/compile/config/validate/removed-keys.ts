import { allAddOns } from '../../addons/all.js';
import { allComponents } from '../../components/all.js';

/**
 * Sections and keys that older versions of the operator had or that users expect in a policy, with their replacement
 * (network-operator, api/v1alpha1/nicclusterpolicy_types.go of each release). Removed keys of a section are in its
 * component.
 */
const KEYS: Readonly<Record<string, string>> = {
  'spec.nvPeerDriver': 'removed from the API in v23.7: delete it; GPU drivers bring `nvidia-peermem` since version 465',
  'spec.psp': 'removed from the API in v24.1: delete it; Kubernetes has no PodSecurityPolicy since 1.25',
};

/** Help for a removed key of a policy, by its path; `undefined` for all others. */
export function removedKey(kind: unknown, path: string): string | undefined {
  if (kind !== 'NicClusterPolicy' && kind !== 'NicNodePolicy') return undefined;
  return Object.hasOwn(KEYS, path)
    ? KEYS[path]
    : (otherPolicyKey(kind, path) ??
        addOnKey(path) ??
        renamedSection(path) ??
        removedFromSection(path) ??
        chartKey(path));
}

/** A key that policies of the other kind have. */
function otherPolicyKey(kind: 'NicClusterPolicy' | 'NicNodePolicy', path: string): string | undefined {
  if (kind === 'NicClusterPolicy')
    return path === 'spec.nodeSelector'
      ? 'a NicClusterPolicy is for all nodes: write `nodeAffinity`, or a NicNodePolicy with `nodeSelector`'
      : undefined;
  const isOfCluster = allComponents.some(
    ({ source }) => path === `spec.${source.path[0] ?? ''}` && !source.scopes.includes('node'),
  );
  return isOfCluster || path === 'spec.global'
    ? 'a section of the NicClusterPolicy, which a NicNodePolicy does not have: move it there'
    : undefined;
}

/** Keys of sections in the values of the chart, which a policy never had (network-operator v24.7.0, its template of the policy). */
function chartKey(path: string): string | undefined {
  const [, key] = /^spec(?:\.\w+){1,2}\.(deploy|resources)$/.exec(path) ?? [];
  if (key === undefined) return undefined;
  return key === 'deploy'
    ? 'a value of the chart up to v24.7: what has a section is deployed. Remove the key, or the section where it is `false`'
    : 'a value of the chart up to v24.7: write `config` with the list of the device plugin, `resourceName` and `selectors` for each resource';
}

function addOnKey(path: string): string | undefined {
  const isAddOn = allAddOns.some(
    ({
      source: {
        path: [key],
      },
    }) => [`spec.${key}`, `spec.secondaryNetwork.${key}`].includes(path),
  );
  return isAddOn ? 'this is a section of the Cluster document, not of a policy: move it there' : undefined;
}

function renamedSection(path: string): string | undefined {
  const now = allComponents.find(({ formerKey }) => formerKey !== undefined && path === `spec.${formerKey}`);
  return now && `renamed: write \`${now.source.path.join('.')}\``;
}

function removedFromSection(path: string): string | undefined {
  for (const { source, removedKeys = {} } of allComponents) {
    const section = `spec.${source.path.join('.')}.`;
    const key = path.slice(section.length);
    if (path.startsWith(section) && Object.hasOwn(removedKeys, key)) return removedKeys[key];
  }
  return undefined;
}
