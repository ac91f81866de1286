import { describe, expect, it } from '@jest/globals';
import { networksOf } from '../../../../test/golden/networks.js';
import { hostDeviceNetwork } from './index.js';

const { build, problems } = networksOf(hostDeviceNetwork, 'hostdev');
const head = { cniVersion: '0.3.1', name: 'hostdev' };

describe('HostDeviceNetwork', () => {
  it('becomes a NetworkAttachmentDefinition', () => {
    expect(build({ resourceName: 'hostdev', ipam: '{"type": "nv-ipam", "poolName": "p"}' })).toEqual({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: {
        name: 'hostdev',
        namespace: 'default',
        labels: { 'nvidia.network-operator.state': 'state-host-device-network' },
        annotations: { 'k8s.v1.cni.cncf.io/resourceName': 'nvidia.com/hostdev' },
      },
      spec: {
        config: `{
  "cniVersion": "0.3.1",
  "name": "hostdev",
  "type": "host-device",
  "ipam": {
    "poolName": "p",
    "type": "nv-ipam"
  }
}`,
      },
    });
  });

  const configs = [
    { name: 'nothing else', spec: {}, namespace: 'default', expected: { ...head, type: 'host-device', ipam: {} } },
    {
      name: 'a namespace and meta plugins',
      spec: { networkNamespace: 'apps', metaPlugins: '{"type":"tuning","mtu":9000},{"type":"rdma"}' },
      namespace: 'apps',
      expected: {
        ...head,
        plugins: [{ type: 'host-device', ipam: {} }, { type: 'tuning', mtu: 9000 }, { type: 'rdma' }],
      },
    },
    {
      name: 'IPAM that would break a template',
      spec: { ipam: '{"type": "x", "y": "it\'s: # }{{ \\n"}' },
      namespace: 'default',
      expected: { ...head, type: 'host-device', ipam: { type: 'x', y: "it's: # }{{ \n" } },
    },
  ];
  it.each(configs)('keeps the data of $name', ({ spec, namespace, expected }) => {
    const { metadata, spec: built } = build({ resourceName: 'hostdev', ...spec });
    expect(metadata).toMatchObject({ namespace });
    expect(JSON.parse(built.config)).toEqual(expected);
  });

  it.each(['a', 'A1', 'my.name', '123-abc', 'a__b'])('takes the resource %s', (resourceName) => {
    expect(problems({ resourceName })).toEqual([]);
  });

  it.each(['', 'bad name', '-a', 'a-', 'nvidia.com/a', 'a\n'])(
    'refuses the resource %j as the webhook does',
    (resourceName) => {
      expect(problems({ resourceName })).toEqual([
        '`spec.resourceName` must be letters, digits, `-`, `_` and `.`, with a letter or digit at each end, and without a prefix',
      ]);
    },
  );

  it.each([undefined, {}, { networkNamespace: 'apps' }])('says that the resource is missing: %j', (spec) => {
    expect(problems(spec)).toEqual(['`spec.resourceName` is missing']);
  });

  it('refuses fields of the other networks', () => {
    expect(problems({ resourceName: 'a', master: 'eth0' })).toEqual(['`spec` has unknown keys: `master`']);
  });
});
