import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const pool = (name: string, osName: string, osVersion: string, more = '', arch = 'amd64'): string =>
  `    - {name: ${name}, osName: ${osName}, osVersion: "${osVersion}", arch: ${arch}${more}}\n`;
const cluster = (release: string, ...pools: readonly string[]): string =>
  clusterText(`  release: ${release}\n  nodePools:\n${pools.join('')}`);
const policy = (driver = '{}'): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver: ${driver}\n`);
const DRIVERS = { 'v26.7': 'doca3.5.0-26.07-0.7.7.0-2', 'v26.4': 'doca3.4.1-26.04-1.1.0.0-3' };
const message = (name: string, system: string, version = DRIVERS['v26.4']): string =>
  `pool \`${name}\` has ${system}, which driver ${version} is not known to support`;
const KNOWN_264 =
  'known for release v26.4: ubuntu 22.04, 24.04; rhcos 4.17, 4.18; ' +
  'rhel 8.8, 8.10, 9.4, 9.6, 9.8, 10.0, 10.2; sles 15.6 (arm64 only), 15.7; on amd64 and arm64';

/** Systems that the sources list, for each release. */
const LISTED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'v26.4': {
    ubuntu: ['22.04', '24.04'],
    rhcos: ['4.17', '4.18'],
    rhel: ['8.8', '8.10', '9.4', '9.6', '9.8', '10.0', '10.2'],
    sles: ['15.7'],
  },
  'v26.7': {
    ubuntu: ['22.04', '24.04', '26.04'],
    rhcos: ['4.17', '4.18'],
    rhel: ['8.8', '8.10', '9.4', '9.6', '9.8', '10.0', '10.2'],
    sles: ['15.7'],
  },
};

testRule('WEFT0268', {
  valid: [
    ...Object.entries(LISTED).flatMap(([release, systems]) =>
      ['amd64', 'arm64'].map((arch) => ({
        name: `all that is listed for ${release} on ${arch}`,
        cluster: cluster(
          release,
          ...Object.entries(systems).flatMap(([os, versions]) =>
            versions.map((version) => pool(`${os}-${version.replace('.', '-')}`, os, version, '', arch)),
          ),
        ),
        policy: policy(),
      })),
    ),
    {
      name: 'a system that is listed with one architecture',
      cluster: cluster('v26.4', pool('a', 'sles', '15.6', '', 'arm64')),
      policy: policy(),
    },
    {
      name: 'a driver of a series that the catalog does not have',
      cluster: cluster('v26.4', pool('a', 'sles', '12.5')),
      policy: policy('{version: 25.10-0.8.6.0-0}'),
    },
    {
      name: 'a digest',
      cluster: cluster('v26.4', pool('a', 'sles', '12.5')),
      policy: policy(`{version: "sha256:${'26'.repeat(32)}"}`),
    },
    {
      name: 'a precompiled driver that the registry has',
      cluster: clusterText(
        `  release: v26.4\n  driver: {precompiledTags: [doca3.4.1-26.04-1.1.0.0-3-one-debian12-amd64]}\n  nodePools:\n${pool('a', 'debian', '12', ', kernel: one')}`,
      ),
      policy: policy(),
    },
    {
      name: 'no driver',
      cluster: cluster('v26.4', pool('a', 'sles', '12.5')),
      policy: policyText('NicClusterPolicy', 'nic-cluster-policy', '  nvIpam: {}\n'),
    },
    {
      name: 'a name that looks misspelt, which another warning says',
      cluster: cluster('v26.4', pool('a', 'ubunut', '24.04')),
      policy: policy(),
    },
    {
      name: 'a pool that gets no driver',
      cluster: cluster('v26.4', pool('a', 'sles', '12.5', ', taints: [{key: a, effect: NoSchedule}]')),
      policy: policy(),
    },
  ],
  invalid: [
    {
      name: 'another version and another system, once for all kernels',
      cluster: cluster(
        'v26.4',
        pool('a', 'ubuntu', '20.04', ', kernels: [one, two]'),
        pool('b', 'debian', '12'),
        pool('c', 'rhel', '9.4'),
      ),
      policy: policy(),
      expected: [
        `cluster.yaml:8:7 ${message('a', 'ubuntu 20.04 on amd64')}`,
        `cluster.yaml:9:7 ${message('b', 'debian 12 on amd64')}`,
      ],
      help: KNOWN_264,
    },
    {
      name: 'the newest release',
      cluster: cluster('v26.7', pool('a', 'sles', '15.6')),
      policy: policy(`{version: ${DRIVERS['v26.7']}}`),
      expected: [`cluster.yaml:8:7 ${message('a', 'sles 15.6 on amd64', DRIVERS['v26.7'])}`],
      help:
        'known for release v26.7: ubuntu 22.04, 24.04, 26.04; rhcos 4.17, 4.18; ' +
        'rhel 8.8, 8.10, 9.4, 9.6, 9.8, 10.0, 10.2; sles 15.7; on amd64 and arm64',
    },
    {
      name: 'another architecture',
      cluster: cluster('v26.4', pool('a', 'sles', '15.6')),
      policy: policy(),
      expected: [`cluster.yaml:8:7 ${message('a', 'sles 15.6 on amd64')}`],
    },
    {
      name: 'an OpenShift whose nodes report RHEL',
      cluster: cluster('v26.4', pool('a', 'rhcos', '4.20')),
      policy: policy(),
      expected: [`cluster.yaml:8:7 ${message('a', 'rhcos 4.20 on amd64')}`],
      help:
        'nodes of OpenShift 4.19 and later report `osName: rhel` and the version of RHEL, such as `osVersion: "9.6"`; ' +
        KNOWN_264,
    },
    {
      name: 'an OpenShift that is too old',
      cluster: cluster('v26.4', pool('a', 'rhcos', '4.9')),
      policy: policy(),
      expected: [`cluster.yaml:8:7 ${message('a', 'rhcos 4.9 on amd64')}`],
      help: KNOWN_264,
    },
    {
      name: 'a driver of the catalog that the policy names',
      cluster: cluster('v26.7', pool('a', 'constructor', '1')),
      policy: policy('{version: doca3.4.1-26.04-1.1.0.0-3}'),
      expected: [`cluster.yaml:8:7 ${message('a', 'constructor 1 on amd64')}`],
    },
    ...['doca3.4.0-26.04-0.8.5.0-0', '26.04-0.8.5.0-0'].map((version) => ({
      name: `another driver of a known series: ${version}`,
      cluster: cluster('v26.7', pool('a', 'ubuntu', '26.04')),
      policy: policy(`{version: ${version}}`),
      expected: [`cluster.yaml:8:7 ${message('a', 'ubuntu 26.04 on amd64', version)}`],
      help: KNOWN_264,
    })),
    {
      name: 'a precompiled driver for another kernel',
      cluster: clusterText(
        `  release: v26.4\n  driver: {precompiledTags: [doca3.4.1-26.04-1.1.0.0-3-one-debian12-amd64]}\n  nodePools:\n${pool('a', 'debian', '12', ', kernels: [one, two]')}`,
      ),
      policy: policy(),
      expected: [`cluster.yaml:9:7 ${message('a', 'debian 12 on amd64')}`],
    },
  ],
});
