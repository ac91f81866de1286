import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { within, type Rule } from '../../../model/config.js';
import { isUnfilled } from '../../../model/unfilled.js';
import type { OfedDriverSpec } from '../schema.js';

type Form = 'text' | 'boolean' | 'integer';

/**
 * The variables that the driver reads (doca-driver-build network-operator-v26.7.0-beta.4, entrypoint/internal/config/config.go and loader.sh).
 */
const KNOWN: Readonly<Record<string, Form>> = {
  APPEND_DRIVER_BUILD_FLAGS: 'text',
  BIND_DELAY_SEC: 'integer',
  CREATE_IFNAMES_UDEV: 'boolean',
  DEBUG_LOG_FILE: 'text',
  DEBUG_SLEEP_SEC_ON_EXIT: 'integer',
  DRIVER_READY_PATH: 'text',
  DTK_OCP_COMPILED_DRIVER_VER: 'text',
  DTK_OCP_DONE_COMPILE_FLAG: 'text',
  DTK_OCP_DRIVER_BUILD: 'boolean',
  DTK_OCP_NIC_SHARED_DIR: 'text',
  DTK_OCP_START_COMPILE_FLAG: 'text',
  ENABLE_NFSRDMA: 'boolean',
  ENTRYPOINT_DEBUG: 'boolean',
  LOCK_FILE_PATH: 'text',
  MLX5_AUXILIARY_MODULES: 'text',
  MLX_DRIVERS_MOUNT: 'text',
  MLX_UDEV_RULES_FILE: 'text',
  NVIDIA_NIC_CONTAINER_VER: 'text',
  NVIDIA_NIC_DRIVERS_INVENTORY_PATH: 'text',
  NVIDIA_NIC_DRIVER_PATH: 'text',
  NVIDIA_NIC_DRIVER_VER: 'text',
  OFED_BLACKLIST_MODULES: 'text',
  OFED_BLACKLIST_MODULES_FILE: 'text',
  RESTORE_DRIVER_ON_POD_TERMINATION: 'boolean',
  SHARED_KERNEL_HEADERS_DIR: 'text',
  STORAGE_MODULES: 'text',
  THIRD_PARTY_RDMA_MODULES: 'text',
  UBUNTU_PRO_TOKEN: 'text',
  UNLOAD_STORAGE_MODULES: 'boolean',
  UNLOAD_THIRD_PARTY_RDMA_MODULES: 'boolean',
  USE_DKMS: 'boolean',
  USE_NEW_ENTRYPOINT: 'boolean',
};

/** Variables of the programs that the driver's scripts run. */
const OF_OTHERS = /^(?:https?_proxy|no_proxy|all_proxy|path|tz|lang|lc_\w+|ld_\w+|debian_frontend|make\w*|cc|cflags)$/i;

/** The driver ignores a variable that it does not know, and does what it does without. */
export const driverEnvironmentKnown: Rule = {
  code: 'WEFT0325',
  severity: 'warning',
  title: 'a variable of the driver has no effect',
  checks: [
    {
      program: 'DOCA-OFED driver',
      source: 'doca-driver-build network-operator-v26.7.0-beta.4, entrypoint/internal/config/config.go and loader.sh',
      what: 'names of `env`, each once',
    },
  ],
  *check({ instances }) {
    for (const { spec, origin } of instances.get('ofed-driver') ?? []) {
      const names = ((spec as OfedDriverSpec).env ?? []).map(({ name }) => name);
      for (const [index, name] of names.entries()) {
        if (names.indexOf(name) < index) {
          yield {
            origin: within(origin, 'env', index, 'name'),
            isSecret: true,
            message: `the variable \`${name}\` is there twice: the last value counts, and server-side apply refuses it`,
            help: 'remove one of them',
          };
        }
        if (Object.hasOwn(KNOWN, name) || OF_OTHERS.test(name)) continue;
        yield {
          origin: within(origin, 'env', index, 'name'),
          // The value may be in the same line.
          isSecret: true,
          message: `the driver does not know the variable \`${name}\``,
          help:
            didYouMean(name, Object.keys(KNOWN)) ??
            'remove it; if your image of the driver reads it, write `# weft-ignore WEFT0325: reason` above it',
        };
      }
    }
  },
};

/** As Go reads them (strconv.ParseBool and ParseInt). Empty text is the default. */
const READABLE: Readonly<Record<Form, RegExp>> = {
  text: /^/,
  boolean: /^(?:1|t|T|true|TRUE|True|0|f|F|false|FALSE|False|)$/,
  integer: /^(?:[-+]?\d+|)$/,
};

/**
 * The driver reads all its variables before it does anything, and exits if it cannot. Until 26.04 it is a script, which runs such a value as a
 * command.
 */
export const driverEnvironmentRead: Rule = {
  code: 'WEFT0345',
  severity: 'error',
  title: 'the driver cannot read the value of a variable',
  checks: [
    {
      program: 'DOCA-OFED driver',
      source: 'doca-driver-build network-operator-v26.7.0-beta.4, entrypoint/internal/config/config.go `GetConfig`',
      what: 'values of `env` that must be booleans or integers',
    },
  ],
  *check({ instances }) {
    for (const { spec, origin } of instances.get('ofed-driver') ?? []) {
      for (const [index, { name, value = '' }] of ((spec as OfedDriverSpec).env ?? []).entries()) {
        const form = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
        if (form === undefined || READABLE[form].test(value) || isUnfilled(value)) continue;
        yield {
          origin: within(origin, 'env', index, 'value'),
          // The driver has variables whose values are secrets.
          isSecret: true,
          message: `the driver cannot read its variable \`${name}\`, and exits: the value is no ${form}`,
          help: form === 'boolean' ? 'write `"true"` or `"false"`' : 'write a number of seconds, such as `"10"`',
        };
      }
    }
  },
};
