import type { ClusterDocument } from 'weft-gitops';

/** A cluster whose nodes all have one kernel. */
export const site = (name: string, kernel: string): ClusterDocument => ({
  apiVersion: 'weft.dev/v1alpha1',
  kind: 'Cluster',
  metadata: { name },
  spec: {
    extends: ['../../base/h100'],
    nodePools: [
      { name: 'h100', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', kernel, labels: { pool: 'h100' } },
    ],
  },
});
