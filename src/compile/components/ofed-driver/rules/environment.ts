import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { within, type Rule } from '../../../model/config.js';
import type { OfedDriverSpec } from '../schema.js';

/** The variables that the driver reads (doca-driver-build network-operator-v26.4.1-rc.4, entrypoint/internal/config/config.go). */
const KNOWN: readonly string[] = [
  'APPEND_DRIVER_BUILD_FLAGS',
  'BIND_DELAY_SEC',
  'CREATE_IFNAMES_UDEV',
  'DEBUG_LOG_FILE',
  'DEBUG_SLEEP_SEC_ON_EXIT',
  'DRIVER_READY_PATH',
  'DTK_OCP_COMPILED_DRIVER_VER',
  'DTK_OCP_DONE_COMPILE_FLAG',
  'DTK_OCP_DRIVER_BUILD',
  'DTK_OCP_NIC_SHARED_DIR',
  'DTK_OCP_START_COMPILE_FLAG',
  'ENABLE_NFSRDMA',
  'ENTRYPOINT_DEBUG',
  'LOCK_FILE_PATH',
  'MLX5_AUXILIARY_MODULES',
  'MLX_DRIVERS_MOUNT',
  'MLX_UDEV_RULES_FILE',
  'NVIDIA_NIC_CONTAINER_VER',
  'NVIDIA_NIC_DRIVERS_INVENTORY_PATH',
  'NVIDIA_NIC_DRIVER_PATH',
  'NVIDIA_NIC_DRIVER_VER',
  'OFED_BLACKLIST_MODULES',
  'OFED_BLACKLIST_MODULES_FILE',
  'RESTORE_DRIVER_ON_POD_TERMINATION',
  'SHARED_KERNEL_HEADERS_DIR',
  'STORAGE_MODULES',
  'THIRD_PARTY_RDMA_MODULES',
  'UBUNTU_PRO_TOKEN',
  'UNLOAD_STORAGE_MODULES',
  'UNLOAD_THIRD_PARTY_RDMA_MODULES',
  'USE_DKMS',
];

/** Variables of the programs that the driver's scripts run. */
const OF_OTHERS = /^(?:https?_proxy|no_proxy|all_proxy|path|tz|lang|lc_\w+|ld_\w+|debian_frontend|make\w*|cc|cflags)$/i;

/** The driver ignores a variable that it does not know, and does what it does without. */
export const driverEnvironmentKnown: Rule = {
  code: 'WEFT0325',
  severity: 'warning',
  title: 'the driver does not know a variable of its environment',
  checks: [
    {
      program: 'DOCA-OFED driver',
      source: 'doca-driver-build network-operator-v26.4.1-rc.4, entrypoint/internal/config/config.go',
      what: 'names of `env`',
    },
  ],
  *check({ instances }) {
    for (const { spec, origin } of instances.get('ofed-driver') ?? []) {
      for (const [index, { name }] of ((spec as OfedDriverSpec).env ?? []).entries()) {
        if (KNOWN.includes(name) || OF_OTHERS.test(name)) continue;
        yield {
          origin: within(origin, 'env', index, 'name'),
          // The value may be in the same line.
          isSecret: true,
          message: `the driver does not know the variable \`${name}\``,
          help:
            didYouMean(name, KNOWN) ??
            'remove it; if your image of the driver reads it, write `# weft-ignore WEFT0325: reason` above it',
        };
      }
    }
  },
};
