import { within, type NodePool, type Rule } from '../../../model/config.js';

/** Systems whose kernels have the release of the system in their version. */
const ENTERPRISE_LINUX = ['rhel', 'rhcos', 'rocky', 'centos', 'ol', 'almalinux'];

/** `el9_4` or `el9` in the version of a kernel. */
const EL = /\.el(\d+)(?:_(\d+))?/;

const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64' };

/** Why a kernel is not one of the system; `undefined` if it may be. */
function mismatch({ osName, osVersion, arch, kernel = '' }: NodePool): string | undefined {
  const [, major, minor] = EL.exec(kernel) ?? [];
  const suffix = /\.(x86_64|aarch64)$/.exec(kernel)?.[1];
  if (suffix !== undefined && ARCHITECTURES[suffix] !== arch) return `is for ${ARCHITECTURES[suffix] ?? suffix}`;
  if (/[-+]64k$/.test(kernel) && arch !== 'arm64') return 'is for arm64';
  if (!ENTERPRISE_LINUX.includes(osName)) {
    if (major === undefined) return ofOtherSystem(osName, kernel);
    return `is of Enterprise Linux ${major}${minor === undefined ? '' : `.${minor}`}`;
  }
  if (major === undefined) return ofOtherSystem(osName, kernel);
  const [, ofMajor, ofMinor] = /^(\d+)(?:\.(\d+))?$/.exec(osVersion) ?? [];
  // OpenShift up to 4.18 has a version of its own.
  if (ofMajor === undefined || (osName === 'rhcos' && ofMajor === '4')) return undefined;
  const isOther = major !== ofMajor || (minor !== undefined && ofMinor !== undefined && minor !== ofMinor);
  return isOther ? `is of Enterprise Linux ${major}${minor === undefined ? '' : `.${minor}`}` : undefined;
}

/** Kernels that only one system has: `6.8.0-31-generic`, `6.4.0-150700.53-default`. */
const OF_ONE_SYSTEM: readonly { readonly osName: string; readonly name: string; readonly kernel: RegExp }[] = [
  { osName: 'ubuntu', name: 'Ubuntu', kernel: /-\d+-(?:generic|lowlatency|nvidia|aws|azure|gcp|oracle)/ },
  { osName: 'sles', name: 'SUSE Linux Enterprise', kernel: /-150\d{3}\.[\d.]+-default$/ },
];

/** Debian and others build upon Ubuntu or SUSE, and are not known here. */
function ofOtherSystem(osName: string, kernel: string): string | undefined {
  if (!['ubuntu', 'sles', ...ENTERPRISE_LINUX].includes(osName)) return undefined;
  const found = OF_ONE_SYSTEM.find((one) => one.osName !== osName && one.kernel.test(kernel));
  return found && `is of ${found.name}`;
}

/** The driver DaemonSet of a pool selects nodes by system and kernel: no node has both. */
export const poolKernelOfSystem: Rule = {
  code: 'WEFT0326',
  severity: 'warning',
  title: 'the kernel of a node pool is not of its system',
  *check({ cluster }) {
    for (const pool of cluster.pools) {
      const fact = pool.kernel === undefined ? undefined : mismatch(pool);
      if (fact === undefined) continue;
      yield {
        origin: within(pool.origin, 'kernel'),
        message: `kernel \`${pool.kernel ?? ''}\` of pool \`${pool.name}\` ${fact}, and the pool is \`${pool.osName}\` ${pool.osVersion} on ${pool.arch}`,
        help: '`kubectl get nodes -o wide` shows system and kernel of each node; `weft pools` writes the pools of a cluster',
      };
    }
  },
};
