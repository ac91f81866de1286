/**
 * Keys of policies that older versions of the operator had, or that people look for in a policy: what became of them
 * (network-operator, api/v1alpha1/nicclusterpolicy_types.go of each release).
 */
const KEYS: Readonly<Record<string, string>> = {
  'spec.nodeFeatureDiscovery':
    'Node Feature Discovery is no section of a policy: delete the key, and install it with its own chart',
  'spec.nvIpam.config':
    'removed from the API in v24.1: delete it, and write its pools as `IPPool` documents beside the policy',
  'spec.nvPeerDriver': 'removed from the API in v23.7: delete it; GPU drivers bring `nvidia-peermem` since version 465',
  'spec.psp': 'removed from the API in v24.1: delete it; Kubernetes has no PodSecurityPolicy since 1.25',
  'spec.secondaryNetwork.ipamPlugin':
    'removed from the API in v25.10: delete it; it installed whereabouts, which networks with `type: whereabouts` need from ' +
    'elsewhere, for instance from its own chart',
  'spec.secondaryNetwork.whereabouts':
    'whereabouts is no section of a policy: delete the key, and install it by other means, for instance with its own chart',
  'spec.spectrumXOperator.spectrumXConfig': 'removed from the API in v25.7: delete it',
  'spec.spectrumXOperator.sriovObjNamespace': 'removed from the API in v25.7: delete it',
  'spec.whereabouts':
    'whereabouts is no section of a policy: delete the key, and install it by other means, for instance with its own chart',
};

/** What to do about a key of a policy that the API does not have any more, by its path; `undefined` for all others. */
export function removedKey(kind: unknown, path: string): string | undefined {
  const isPolicy = kind === 'NicClusterPolicy' || kind === 'NicNodePolicy';
  return isPolicy && Object.hasOwn(KEYS, path) ? KEYS[path] : undefined;
}
