import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText } from '../../../test/golden/compile.js';
import { buildObjects } from '../synth.js';

const POOLS = `  release: v26.4.1
  mirrors: [{from: registry.example.com, to: harbor.corp}]
  nodePools:
    - {name: a, osName: ubuntu, osVersion: "24.04", arch: amd64}
    - {name: b, osName: ubuntu, osVersion: "24.04", arch: arm64}
`;
const DIGEST = `sha256:${'0'.repeat(64)}`;
const IMAGE = 'registry.example.com/tool:1';

/** The messages about a DaemonSet with this spec of its pods, whose image is pinned. */
function problems(podSpec: string, pin: { readonly digest: string; readonly platforms?: readonly string[] }) {
  const daemonSet = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: tool, namespace: tools}
spec:
  selector: {matchLabels: {app: tool}}
  template: {metadata: {labels: {app: tool}}, spec: {${podSpec}}}
`;
  const files = {
    'cluster.yaml': clusterText(POOLS),
    'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', '  secondaryNetwork: {multus: {}}\n'),
    'tool.yaml': daemonSet,
  };
  const { config } = compile(files);
  if (!config) throw new Error('the input has errors');
  const cluster = { ...config.cluster, pins: new Map([[IMAGE, pin]]) };
  const { objects, diagnostics } = buildObjects({ ...config, cluster });
  const found = diagnostics.filter(({ code }) => code === 'WEFT0592');
  expect(objects.length === 0).toBe(found.length > 0);
  return found.map(({ message }) => message);
}

const CONTAINERS = `containers: [{name: a, image: "${IMAGE}"}, {name: b, image: "${IMAGE}"}]`;

describe('platforms of pins', () => {
  const amd64 = { digest: DIGEST, platforms: ['linux/amd64'] };

  it('are an error once for an image where a pool of its pods has another, with a mirror, too', () => {
    expect(problems(CONTAINERS, amd64)).toEqual([
      'the image `harbor.corp/tool:1` is for `linux/amd64`, and pods of the DaemonSet `tool` may run on nodes of pool `b`, which are `linux/arm64`',
    ]);
  });

  it.each([
    ['where they have that of each pool', CONTAINERS, { digest: DIGEST, platforms: ['linux/amd64', 'linux/arm64'] }],
    ['where they are not known', CONTAINERS, { digest: DIGEST }],
    ['where the pods are on other nodes', `nodeSelector: {kubernetes.io/arch: amd64}, ${CONTAINERS}`, amd64],
    ['where the pods are on nodes of no pool', `nodeSelector: {kubernetes.io/arch: s390x}, ${CONTAINERS}`, amd64],
  ])('are none %s', (_, podSpec, pin) => {
    expect(problems(podSpec, pin)).toEqual([]);
  });
});
