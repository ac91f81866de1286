import { expect, it } from '@jest/globals';
import { compile, PLAIN_CLUSTER, problemLines } from '../../../../test/golden/compile.js';

const NETWORK = 'apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: net}\nspec:\n';

it.each([
  {
    name: 'a value that the plugin refuses',
    field: `ipam: '{"type": "whereabouts", "range": "x"}'`,
    expected:
      'a.yaml:5:43 WEFT0143 `spec.ipam`: `range` must be a range such as `192.168.2.0/24` or `192.168.2.10-192.168.2.20/24`',
  },
  {
    name: 'a number',
    field: `ipam: '{"type": "x", "id": 9007199254740993}'`,
    expected: 'a.yaml:5:30 WEFT0143 `spec.ipam` has the number 9007199254740993, which cannot be kept exactly',
  },
  {
    name: 'a value of one of several plugins',
    field: `metaPlugins: '{"type": "rdma"}, {"type": 5}'`,
    expected: 'a.yaml:5:44 WEFT0143 `spec.metaPlugins`: `[1].type` must be a string',
  },
  {
    name: 'a number of one of several plugins',
    field: `metaPlugins: '{"type": "rdma"}, {"type": "x", "mtu": 1e400}'`,
    expected: 'a.yaml:5:56 WEFT0143 `spec.metaPlugins` has the number 1e400, which cannot be kept exactly',
  },
])('JSON text is wrong where it is written: $name', ({ field, expected }) => {
  const { diagnostics } = compile({ 'cluster.yaml': PLAIN_CLUSTER, 'a.yaml': `${NETWORK}  ${field}\n` });
  // The rules find beside it that nothing installs what the network needs.
  const others = diagnostics.filter(({ code }) => code !== 'WEFT0265');
  expect(problemLines(others)).toEqual([expected]);
});
