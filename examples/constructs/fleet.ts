import { App, Chart } from 'cdk8s';
import { Cluster, NicClusterPolicy } from 'weft-gitops';

/** What tells one cluster of the fleet from another. */
interface Site {
  readonly name: string;
  readonly kernel: string;
  /** Driver that differs from the release's, for a cluster that goes first. */
  readonly driver?: string;
}

const SITES: readonly Site[] = [
  { name: 'oslo', kernel: '6.8.0-31-generic', driver: '25.10-1.2.2.0-1' },
  { name: 'lyon', kernel: '6.8.0-31-generic' },
  { name: 'turin', kernel: '6.8.0-45-generic' },
];

/** A fleet of clusters from one function: each has a chart of its own. cdk8s likes an App for each of hundreds better. */
export function fleet(): App {
  const app = new App();
  for (const { name, kernel, driver } of SITES) {
    const chart = new Chart(app, name);
    const pool = { name: 'workers', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', kernel } as const;
    const cluster = new Cluster(chart, name, { spec: { release: 'v26.4', nodePools: [pool] } });
    new NicClusterPolicy(chart, 'policy', {
      cluster,
      spec: {
        ofedDriver: { ...(driver !== undefined && { version: driver }) },
        rdmaSharedDevicePlugin: {
          config: { configList: [{ resourceName: 'rdma_a', rdmaHcaMax: 63, selectors: { vendors: ['15b3'] } }] },
        },
      },
    });
  }
  return app;
}
