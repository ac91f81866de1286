/** What networks need on the nodes: Multus, and the CNI plugins that it calls. */
export type Capability = 'multus' | 'cni-plugins' | 'ipoib' | 'nv-ipam';
