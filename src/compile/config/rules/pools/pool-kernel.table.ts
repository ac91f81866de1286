import { clusterText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const pool = (osName: string, osVersion: string, kernel: string, arch = 'amd64'): string =>
  clusterText(
    `  release: v26.4\n  nodePools:\n    - {name: a, osName: ${osName}, osVersion: "${osVersion}", arch: ${arch}, kernel: ${kernel}}\n`,
  );

testRule('WEFT0326', {
  valid: [
    { name: 'Ubuntu', cluster: pool('ubuntu', '22.04', '5.15.0-100-generic') },
    { name: 'RHEL', cluster: pool('rhel', '9.4', '5.14.0-427.13.1.el9_4.x86_64') },
    { name: 'RHEL on arm64', cluster: pool('rhel', '9.4', '5.14.0-427.13.1.el9_4.aarch64', 'arm64') },
    { name: 'a kernel of the major release', cluster: pool('rocky', '9.4', '5.14.0-503.el9.x86_64') },
    { name: 'an old OpenShift', cluster: pool('rhcos', '4.16', '5.14.0-427.13.1.el9_4.x86_64') },
    { name: 'SLES', cluster: pool('sles', '15.7', '6.4.0-150700.53.3-default') },
    { name: 'a system that is not known', cluster: pool('debian', '12', '6.8.0-31-generic') },
    { name: 'a kernel of its own', cluster: pool('rhel', '9.4', '6.12.1-custom') },
  ],
  invalid: [
    {
      name: 'a kernel of Ubuntu on SLES',
      cluster: pool('sles', '15.7', '6.8.0-31-generic'),
      expected: [
        'cluster.yaml:8:71 kernel `6.8.0-31-generic` of pool `a` is of Ubuntu, and the pool is `sles` 15.7 on amd64',
      ],
    },
    {
      name: 'a kernel of SLES on Ubuntu',
      cluster: pool('ubuntu', '24.04', '6.4.0-150700.53.3-default'),
      expected: [
        'cluster.yaml:8:74 kernel `6.4.0-150700.53.3-default` of pool `a` is of SUSE Linux Enterprise, and the pool is `ubuntu` 24.04 on amd64',
      ],
    },
    {
      name: 'a kernel of Ubuntu on RHEL',
      cluster: pool('rhel', '9.4', '5.15.0-100-generic'),
      expected: [
        'cluster.yaml:8:70 kernel `5.15.0-100-generic` of pool `a` is of Ubuntu, and the pool is `rhel` 9.4 on amd64',
      ],
    },
    {
      name: 'another minor release',
      cluster: pool('rhel', '9.4', '5.14.0-284.30.1.el9_2.x86_64'),
      expected: [
        'cluster.yaml:8:70 kernel `5.14.0-284.30.1.el9_2.x86_64` of pool `a` is of Enterprise Linux 9.2, and the pool is `rhel` 9.4 on amd64',
      ],
    },
    {
      name: 'a kernel of RHEL on Ubuntu',
      cluster: pool('ubuntu', '24.04', '5.14.0-427.13.1.el9_4.x86_64'),
      expected: [
        'cluster.yaml:8:74 kernel `5.14.0-427.13.1.el9_4.x86_64` of pool `a` is of Enterprise Linux 9.4, and the pool is `ubuntu` 24.04 on amd64',
      ],
    },
    {
      name: 'another architecture',
      cluster: pool('rhel', '9.4', '5.14.0-427.13.1.el9_4.aarch64'),
      expected: [
        'cluster.yaml:8:70 kernel `5.14.0-427.13.1.el9_4.aarch64` of pool `a` is for arm64, and the pool is `rhel` 9.4 on amd64',
      ],
    },
    {
      name: 'a kernel with pages of 64 KiB',
      cluster: pool('ubuntu', '24.04', '6.8.0-1019-nvidia-64k'),
      expected: [
        'cluster.yaml:8:74 kernel `6.8.0-1019-nvidia-64k` of pool `a` is for arm64, and the pool is `ubuntu` 24.04 on amd64',
      ],
    },
  ],
});
