import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (more: string): string => clusterText(`  release: v26.4\n${more}  nodePools:\n${UBUNTU_POOL}`);
const policy = (global: string, section = 'nvIpam: {}'): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  global: {${global}}\n  ${section}\n`);
const PRIVATE = 'repository: "harbor.example.com:5000/nvidia"';
const SECRET = 'imagePullSecrets: [harbor]';
const OWN = 'image: "harbor.example.com:5000/whereabouts:v0.9.4"';
const UPGRADED = 'ofedDriver: {upgradePolicy: {autoUpgrade: true, drain: {enable: true}}}';

testRule('WEFT0306', {
  valid: [
    { name: 'no registry', cluster: cluster('  whereabouts: {deploy: true}\n'), policy: policy(SECRET) },
    {
      name: 'the registry of NVIDIA',
      cluster: cluster('  whereabouts: {deploy: true}\n'),
      policy: policy('repository: nvcr.io/team'),
    },
    { name: 'an add-on of it', cluster: cluster(`  whereabouts: {deploy: true, ${OWN}}\n`), policy: policy(PRIVATE) },
    {
      name: 'images of the release, which are moved there',
      cluster: cluster('  maintenanceOperator: {deploy: true}\n'),
      policy: policy(PRIVATE),
    },
    {
      name: 'an add-on that is not deployed',
      cluster: cluster('  whereabouts: {deploy: false}\n'),
      policy: policy(PRIVATE),
    },
    {
      name: 'a companion of it',
      cluster: cluster('  companion: {nodeImage: "harbor.example.com:5000/node:24"}\n'),
      policy: policy(PRIVATE, UPGRADED),
    },
    {
      name: 'a section of the same registry, and one that names none',
      cluster: cluster(''),
      policy: policy(PRIVATE, 'nvIpam: {repository: "harbor.example.com:5000/other"}\n  ofedDriver: {}'),
    },
    {
      name: 'another registry beside that of NVIDIA',
      cluster: cluster(''),
      policy: policy('repository: nvcr.io/team', 'nvIpam: {repository: ghcr.io/mellanox}'),
    },
    {
      name: 'an init container without a driver',
      cluster: cluster('  driver: {initContainerImage: "nvcr.io/nvidia/x:v1"}\n'),
      policy: policy(PRIVATE),
    },
    { name: 'no companion', cluster: cluster(''), policy: policy(PRIVATE, 'ofedDriver: {}') },
  ],
  invalid: [
    {
      name: 'an add-on of another',
      cluster: cluster('  whereabouts: {deploy: true}\n'),
      policy: policy(PRIVATE),
      expected: [
        'cluster.yaml:7:3 `spec.whereabouts` names images of another registry than `global.repository`: `ghcr.io/k8snetworkplumbingwg/whereabouts:v0.9.4`',
      ],
      help: 'copy them to `harbor.example.com:5000` and name the copies in `spec.whereabouts`; or write `# weft-ignore WEFT0306: reason` where nodes reach that registry',
    },
    {
      name: 'sections of policies that stay at other registries',
      cluster: cluster(''),
      policy:
        policy(
          PRIVATE,
          'ofedDriver: {repository: nvcr.io/nvidia/mellanox}\n  nvIpam: {}\n' +
            '  secondaryNetwork: {multus: {repository: ghcr.io/k8snetworkplumbingwg}}',
        ) +
        '---\n' +
        policyText('NicNodePolicy', 'rhel', '  rdmaSharedDevicePlugin: {repository: nvcr.io/nvidia/mellanox}\n'),
      expected: [
        'policy.yaml:6:24 `spec.global.repository` does not move sections that name another registry: `spec.secondaryNetwork.multus` at `ghcr.io`, and `spec.ofedDriver`, `spec.rdmaSharedDevicePlugin` of `rhel` at `nvcr.io`',
      ],
      help: 'remove `repository` from these sections, or name `harbor.example.com:5000` in them; where nodes reach the other registry, too, write `# weft-ignore WEFT0306: reason` above it',
    },
    {
      name: 'the init container that the Cluster names',
      cluster: cluster('  driver: {initContainerImage: "nvcr.io/nvidia/x:v1"}\n'),
      policy: policy(PRIVATE, 'ofedDriver: {}'),
      expected: [
        'cluster.yaml:7:12 `spec.driver.initContainerImage` names images of another registry than `global.repository`: `nvcr.io/nvidia/x:v1`',
      ],
    },
    {
      name: 'the image of Node for the companion',
      cluster: cluster(''),
      policy: policy(PRIVATE, UPGRADED),
      expected: [
        'cluster.yaml:5:1 `spec.companion` names images of another registry than `global.repository`: `docker.io/library/node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6`',
      ],
    },
  ],
});

testRule('WEFT0307', {
  valid: [
    {
      name: 'an add-on with it',
      cluster: cluster(`  whereabouts: {deploy: true, ${OWN}, ${SECRET}}\n`),
      policy: policy(`${PRIVATE}, ${SECRET}`),
    },
    {
      name: 'an add-on whose Secrets are references',
      cluster: cluster('  nodeFeatureDiscovery: {deploy: true, imagePullSecrets: [{name: harbor}]}\n'),
      policy: policy(`${PRIVATE}, ${SECRET}`),
    },
    {
      name: 'sections of policies that the release fills',
      cluster: cluster(''),
      policy: policy(`${PRIVATE}, ${SECRET}`),
      network: policyText('NicNodePolicy', 'gpu', '  ofedDriver: {}\n'),
    },
    {
      name: 'a section of a NicNodePolicy with Secrets of its own, and one of another registry',
      cluster: cluster(''),
      policy: policy(`${PRIVATE}, ${SECRET}`),
      network: policyText(
        'NicNodePolicy',
        'gpu',
        `  ofedDriver: {${PRIVATE}, imagePullSecrets: [other]}\n  rdmaSharedDevicePlugin: {repository: registry.example.com/x}\n`,
      ),
    },
    {
      name: 'an add-on of another registry',
      cluster: cluster('  whereabouts: {deploy: true}\n'),
      policy: policy(`${PRIVATE}, ${SECRET}`),
    },
  ],
  invalid: [
    {
      name: 'a section of a NicNodePolicy that names the registry of `global`',
      cluster: cluster(''),
      policy: policy(`${PRIVATE}, ${SECRET}`),
      network: policyText('NicNodePolicy', 'gpu', `  ofedDriver: {${PRIVATE}}\n`),
      expected: ['network.yaml:6:3 `spec.ofedDriver` of `gpu` lacks the pull secrets of `global`: `harbor`'],
      help: 'add them to `spec.ofedDriver.imagePullSecrets`, or remove `repository` so that the release fills both',
    },
    {
      name: 'an add-on without it',
      cluster: cluster(`  whereabouts: {deploy: true, ${OWN}}\n`),
      policy: policy(`${PRIVATE}, ${SECRET}`),
      expected: ['cluster.yaml:7:3 `spec.whereabouts` lacks the pull secrets of `global`: `harbor`'],
      help: 'add them to `spec.whereabouts.imagePullSecrets`',
    },
    {
      name: 'a companion without it',
      cluster: cluster('  companion: {nodeImage: "harbor.example.com:5000/node:24"}\n'),
      policy: policy(`${PRIVATE}, ${SECRET}`, UPGRADED),
      expected: ['cluster.yaml:7:3 `spec.companion` lacks the pull secrets of `global`: `harbor`'],
    },
    {
      name: 'an add-on of the release, of the registry of NVIDIA',
      cluster: cluster('  sriovNetworkOperator: {deploy: true}\n'),
      policy: policy('imagePullSecrets: [ngc]'),
      expected: ['cluster.yaml:7:3 `spec.sriovNetworkOperator` lacks the pull secrets of `global`: `ngc`'],
    },
  ],
});
