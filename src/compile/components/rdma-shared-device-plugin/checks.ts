import type { ProgramCheck } from '../../model/config.js';

const PROGRAM = {
  program: 'RDMA shared device plugin',
  source:
    'k8s-rdma-shared-dev-plugin 410b0f3, pkg/resources/resources_manager.go `ValidateConfigs`, pkg/utils/utils.go',
};

/** What the plugin refuses, and its schema with it: it ends, and its DaemonSet crash-loops. */
export const checks: readonly ProgramCheck[] = [
  { ...PROGRAM, what: '`resourceName`: letters, digits and `_`' },
  { ...PROGRAM, what: '`configList` has an entry' },
  { ...PROGRAM, what: '`rdmaHcaMax` and `periodicUpdateInterval` are not negative' },
  { ...PROGRAM, what: 'one of `selectors` and `devices`, with an entry; not both' },
];
