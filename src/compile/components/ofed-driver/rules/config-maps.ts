import { within, type Config, type Violation, type Instance, type Rule } from '../../../model/config.js';
import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { isDnsLabel } from '../../../../shared/kubernetes/names.js';
import { usesTrustedCa } from '../additional-mounts.js';
import { CERT_DIRECTORIES, REPO_DIRECTORIES } from '../mounts.js';
import type { OfedDriverSpec } from '../schema.js';
import { driverInstances } from './instances.js';

const MOUNTED = [
  { key: 'certConfig', directories: CERT_DIRECTORIES },
  { key: 'repoConfig', directories: REPO_DIRECTORIES },
] as const;

/** Each key of the ConfigMap becomes a separate mount, so its keys must be known. */
export const configMapKnown: Rule = {
  code: 'WEFT0212',
  severity: 'error',
  title: 'a ConfigMap that the driver mounts is not known',
  needsAllDocuments: true,
  *check(config) {
    for (const { spec, origin } of driverInstances(config)) {
      for (const { key } of MOUNTED) {
        const name = spec[key]?.name;
        if (!name || config.configMaps.has(name)) continue;
        yield {
          origin: within(origin, key, 'name'),
          message: `\`spec.ofedDriver.${key}.name\` names a ConfigMap \`${name}\` that is not in the input`,
          help:
            didYouMean(name, [...config.configMaps.keys()]) ??
            'put the ConfigMap beside the policy, or list it with its keys in `spec.existingConfigMaps` of the Cluster',
        };
      }
    }
  },
};

/** A ConfigMap without text adds no mount, and the driver runs without the certificates or repositories. */
export const configMapFilled: Rule = {
  code: 'WEFT0313',
  severity: 'warning',
  title: 'a ConfigMap that the driver mounts has no keys',
  *check(config) {
    for (const { spec, origin } of driverInstances(config)) {
      for (const { key } of MOUNTED) {
        const { name, keys, document } = config.configMaps.get(spec[key]?.name ?? '') ?? {};
        if (!document || keys?.length !== 0) continue;
        yield {
          origin: within(origin, key, 'name'),
          message: `the ConfigMap \`${name ?? ''}\` of \`${key}\` has no keys under \`data\`, so nothing is mounted`,
          help: 'put each file under a key of `data`; `binaryData` is not mounted',
          related: { origin: within(document.origin, 'metadata', 'name'), message: 'the ConfigMap is here' },
        };
      }
    }
  },
};

/** The directories of certificates and repositories depend on the OS. */
export const directoryKnown: Rule = {
  code: 'WEFT0213',
  severity: 'error',
  title: 'an OS has no directory for certificates or repositories',
  *check(config) {
    for (const instance of driverInstances(config)) yield* withoutDirectory(config, instance);
  },
};

function* withoutDirectory(
  { cluster }: Config,
  { spec, origin, pools }: Instance<OfedDriverSpec>,
): Iterable<Violation> {
  for (const { key, directories } of MOUNTED) {
    const isUsed = Boolean(spec[key]?.name) || (key === 'certConfig' && usesTrustedCa(spec, cluster));
    const unknown = pools.filter(({ osName }) => isUsed && !directories.has(osName));
    for (const osName of new Set(unknown.map((pool) => pool.osName))) {
      yield {
        origin: spec[key] ? within(origin, key) : origin,
        at: 'key',
        message: `\`${key}\` has no place on ${osName}, the OS of node pool \`${unknown[0]?.name ?? ''}\``,
        help: `it works on ${[...directories.keys()].join(', ')}`,
      };
    }
  }
}

/** A pod cannot have two volumes with the same name. */
export const configMapsDiffer: Rule = {
  code: 'WEFT0219',
  severity: 'error',
  title: 'certConfig and repoConfig name the same ConfigMap',
  *check(config) {
    for (const { spec, origin } of driverInstances(config)) {
      if (!spec.certConfig?.name || spec.certConfig.name !== spec.repoConfig?.name) continue;
      yield {
        origin: within(origin, 'repoConfig', 'name'),
        message: '`certConfig` and `repoConfig` name the same ConfigMap',
        help: 'use two ConfigMaps: each key of one becomes a file in the place of its kind',
        related: { origin: within(origin, 'certConfig', 'name'), message: '`certConfig` names it here' },
      };
    }
  },
};

/** The name of the ConfigMap becomes the name of a volume, as in the operator's pods. */
export const configMapMountable: Rule = {
  code: 'WEFT0220',
  severity: 'error',
  title: 'a ConfigMap that the driver mounts has a name that no volume can have',
  *check(config) {
    for (const { spec, origin } of driverInstances(config)) {
      for (const { key } of MOUNTED) {
        const name = spec[key]?.name;
        if (!name || isDnsLabel(name)) continue;
        yield {
          origin: within(origin, key, 'name'),
          message: `\`spec.ofedDriver.${key}.name\` cannot be the name of a volume: \`${name}\``,
          help: 'give the ConfigMap a name of at most 63 lower-case letters, digits and `-`',
        };
      }
    }
  },
};
