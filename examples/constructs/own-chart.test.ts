import { describe, expect, it } from '@jest/globals';
import { App, Chart, Testing } from 'cdk8s';
import { Cluster, InvalidConfigError, OfedDriver } from 'weft-gitops';
import { TeamRdma } from './own-constructs.js';

/** A unit test of a user's own chart, with jest. */
function newChart() {
  const chart = new Chart(new App(), 'test');
  const pool = { name: 'h100', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' } as const;
  return { chart, cluster: new Cluster(chart, 'east', { spec: { release: 'v26.4', nodePools: [pool] } }) };
}

describe('TeamRdma', () => {
  it('limits what the team may ask for', () => {
    const { chart, cluster } = newChart();
    new TeamRdma(chart, 'rdma', { cluster, team: 'training' });
    const objects = Testing.synth(chart) as readonly { readonly kind: string }[];
    expect(objects.find(({ kind }) => kind === 'ResourceQuota')).toMatchSnapshot();
  });

  it('exists once in a cluster', () => {
    const { chart, cluster } = newChart();
    new TeamRdma(chart, 'one', { cluster, team: 'a' });
    expect(() => new TeamRdma(chart, 'two', { cluster, team: 'b' })).toThrow(InvalidConfigError);
  });

  it('is refused with a driver whose props are wrong', () => {
    const { chart, cluster } = newChart();
    expect(() => new OfedDriver(chart, 'driver', { cluster, version: '25.10 ' })).toThrow(/test\/driver/);
  });
});
