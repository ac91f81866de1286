import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { Cluster, type ClusterScope, OfedDriver, RdmaSharedDevicePlugin } from 'weft-gitops';

/** A construct of a user's own that has some of Weft's in it: RDMA with a quota for a team. */
export class TeamRdma extends Construct {
  readonly plugin: RdmaSharedDevicePlugin;

  constructor(scope: Construct, id: string, props: { readonly cluster: ClusterScope; readonly team: string }) {
    super(scope, id);
    this.plugin = new RdmaSharedDevicePlugin(this, 'plugin', {
      cluster: props.cluster,
      config: { configList: [{ resourceName: 'rdma_a', rdmaHcaMax: 63, selectors: { vendors: ['15b3'] } }] },
    });
    const quota = new ApiObject(this, 'quota', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'rdma', namespace: props.team },
      spec: { hard: Object.fromEntries(this.plugin.resources.map(({ name }) => [`requests.${name}`, '8'])) },
    });
    quota.addDependency(this.plugin);
  }
}

/** Weft beside constructs of a user's own, with a patch and a dependency. */
export function ownConstructs(): App {
  const app = new App();
  const chart = new Chart(app, 'platform', { labels: { team: 'platform' } });
  const pool = { name: 'h100', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' } as const;
  const cluster = new Cluster(chart, 'east', { spec: { release: 'v26.4', nodePools: [pool] } });
  const driver = new OfedDriver(chart, 'driver', { cluster });
  for (const daemonSet of driver.daemonSets) {
    daemonSet.addJsonPatch(JsonPatch.add('/spec/template/metadata/annotations', { 'example.com/owner': 'platform' }));
  }
  const rdma = new TeamRdma(chart, 'rdma', { cluster, team: 'training' });
  rdma.node.addDependency(driver);
  return app;
}
