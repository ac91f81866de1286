import type { ProgramCheck } from '../../model/config.js';

const PROGRAM = { program: 'SR-IOV network device plugin' };
const MANAGER = 'sriov-network-device-plugin v3.9.0, cmd/sriovdp/manager.go `validConfigs`';

/** What the plugin refuses, and its schema with it: it ends or leaves the resource out. */
export const checks: readonly ProgramCheck[] = [
  {
    ...PROGRAM,
    source: 'sriov-network-device-plugin v3.9.0, pkg/utils/utils.go `ValidResourceName`',
    what: '`resourceName`: letters, digits, `_` and `-`',
  },
  { ...PROGRAM, source: MANAGER, what: '`resourceList` has an entry; `deviceType` is known' },
  {
    ...PROGRAM,
    source: 'sriov-network-device-plugin v3.9.0, pkg/factory/factory.go `GetDeviceFilter`',
    what: '`selectors` is there, and its list has an entry',
  },
  {
    ...PROGRAM,
    source: 'sriov-network-device-plugin v3.9.0, `ValidConfig` of pkg/auxnetdevice and pkg/netdevice',
    what: '`auxTypes: [sf]` for `auxNetDevice`; not `isRdma` beside `vdpaType`',
  },
];
