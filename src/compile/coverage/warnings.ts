import type { Code } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { listedNames } from '../../shared/lib/listed.js';
import type { PlacedObject } from '../model/placed-object.js';
import { within, type Config, type NodePool, type Violation } from '../model/config.js';
import { found } from '../model/found.js';
import { coverageTable } from './coverage.js';
import { programDaemonSets } from './daemon-sets.js';
import { gapsOf, type Gap } from './gaps.js';

const CODES = {
  driver: 'WEFT0302',
  plugin: 'WEFT0305',
  network: 'WEFT0290',
  labels: 'WEFT0291',
  all: 'WEFT0292',
} as const satisfies Readonly<Record<Gap['kind'], Code>>;

/** Warnings about what node pools need and do not get, one for all kernels of a pool. */
export function coverageWarnings(config: Config, objects: readonly PlacedObject[]): readonly Diagnostic[] {
  const gaps = gapsOf(coverageTable(config, programDaemonSets(config, objects)));
  const known = new Set<string>();
  return gaps.flatMap((gap) => {
    const [pool] = gap.place.pools;
    if (pool === undefined) return [];
    const violation = violationOf(gap, pool);
    const key = `${pool.name} ${violation.message}`;
    if (known.has(key)) return [];
    known.add(key);
    return [found(CODES[gap.kind], violation)];
  });
}

function violationOf(gap: Gap, pool: NodePool): Violation {
  const { kind, cells, why } = gap;
  const isTaint = cells.some(({ absence }) => absence?.kind === 'taint');
  return {
    origin: within(pool.origin, isTaint ? 'taints' : 'name'),
    message: `the nodes of pool \`${pool.name}\` get no ${missingText(gap)}: ${why}`,
    help: [remedyOf(gap), alternativeOf(kind, pool)].join('; '),
  };
}

function missingText({ kind, cells }: Gap): string {
  const sections = () => listedNames([...new Set(cells.map(({ program }) => program.section))], SHOWN_SECTIONS);
  switch (kind) {
    case 'driver':
      return 'driver';
    case 'plugin':
    case 'network':
      return `pods of ${sections()}`;
    case 'labels':
      return `labels of ${sections()}`;
    case 'all': {
      const nouns = [
        ...(cells.some(({ program }) => program.isDriver) ? ['driver'] : []),
        ...(cells.some(({ program }) => program.offersDevices) ? ['device plugin'] : []),
      ];
      return nouns.join(' and no ');
    }
  }
}

const SHOWN_SECTIONS = 5;

function remedyOf({ kind, cells }: Gap): string {
  if (kind === 'all' && cells.every(({ absence }) => absence?.kind === 'label'))
    return 'correct `nodeSelector` and `nodeAffinity` of the policy: they select none of the nodes';
  if (kind === 'all') return 'add a policy that selects the pool, such as a NicNodePolicy with its labels';
  const [{ program, absence }] = cells;
  if (program.labels !== undefined)
    return `add \`spec.${program.labels.tolerations}\`: DaemonSets select nodes by these labels`;
  if (absence?.owners === undefined) return 'see `spec.patches` of the Cluster, which change the pods of the DaemonSet';
  return `add \`tolerations\` to ${absence.owners.map(({ kind: of, name }) => `${of} \`${name}\``).join(' and ')}`;
}

function alternativeOf(kind: Gap['kind'], { name }: NodePool): string {
  if (kind === 'driver') return `or take the driver off them: \`driver: {uninstall: {nodePools: [${name}]}}\``;
  return `or write \`# weft-ignore ${CODES[kind]}: reason\` where these nodes shall have none`;
}
