import { clusterText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (...pools: readonly string[]): string =>
  clusterText(`  release: v26.4\n  nodePools:\n${pools.join('')}`);
const pool = (name: string, osName: string, osVersion: string, more = ''): string =>
  `    - {name: ${name}, osName: ${osName}, osVersion: "${osVersion}", arch: amd64${more}}\n`;

testRule('WEFT0275', {
  valid: [
    {
      name: 'systems',
      cluster: cluster(pool('a', 'ubuntu', '24.04'), pool('b', 'rhel', '9'), pool('c', 'sles', '15.6')),
    },
    {
      name: 'systems that no release was validated on',
      cluster: cluster(
        ...['debian', 'rocky', 'fedora', 'ol', 'centos', 'almalinux', 'opensuse-leap', 'arch', 'flatcar'].map((name) =>
          pool(name, name, 'rolling'),
        ),
      ),
    },
  ],
  invalid: [
    {
      name: 'a name for a version',
      cluster: cluster(pool('a', 'ubuntu', 'noble')),
      expected: ['cluster.yaml:8:44 pool `a` has version `noble` of ubuntu, which is no number'],
      help: 'write `VERSION_ID` of `/etc/os-release`, in quotes, for instance "26.04"',
    },
  ],
});

testRule('WEFT0312', {
  valid: [
    {
      name: 'systems that people build drivers for, some with names almost known',
      cluster: cluster(
        ...['debian', 'rocky', 'ol', 'almalinux', 'amzn', 'sled', 'scos', 'azurelinux', 'photon', 'talos'].map((name) =>
          pool(name, name, '1'),
        ),
      ),
    },
  ],
  invalid: [
    {
      name: 'a near miss of a known name, once for all kernels',
      cluster: cluster(pool('a', 'ubunut', '24.04', ', kernels: [one, two]')),
      expected: ['cluster.yaml:8:25 pool `a` has the OS `ubunut`, which no node may have'],
      help: 'did you mean `ubuntu`?',
    },
  ],
});
