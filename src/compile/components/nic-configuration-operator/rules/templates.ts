import { sortedKeys, listAt, textAt, valueAt } from '../../../../shared/lib/json.js';
import { within, type Config, type Rule, type Violation } from '../../../model/config.js';
import { objectsOf, type InputObject } from '../../../model/input-objects.js';

const NIC_GROUP = 'configuration.net.nvidia.com';
const KINDS = ['NicConfigurationTemplate', 'NicFirmwareTemplate'];

/** Lists of the selector of NICs; one that is empty selects all. */
const LISTS = ['pciAddresses', 'serialNumbers', 'partNumbers'];
const ALL = '';

/** Templates by the NICs that they select: `pciAddresses 0000:03:00.0`, or all of the type. */
type Index = Map<string, InputObject>;

/** `undefined` where a template has several lists, and each NIC is in all of them: what it selects is not compared. */
function keysOf({ spec }: InputObject): readonly string[] | undefined {
  const lists = LISTS.flatMap((list) => {
    const entries = listAt(spec, 'nicSelector', list);
    return entries.length === 0 ? [] : [entries.map((entry) => `${list} ${String(entry)}`)];
  });
  return lists.length > 1 ? undefined : (lists[0] ?? [ALL]);
}

function selectorText({ spec }: InputObject): string {
  const labels = (valueAt(spec, ['nodeSelector']) ?? {}) as Readonly<Record<string, unknown>>;
  return sortedKeys(labels)
    .map((key) => `${key}=${String(labels[key])}`)
    .join();
}

function conflict(index: Index | undefined, keys: readonly string[]): InputObject | undefined {
  if (index === undefined) return undefined;
  if (keys.includes(ALL)) return index.values().next().value;
  return index.get(ALL) ?? keys.map((key) => index.get(key)).find((one) => one !== undefined);
}

function* severalForOneNic(config: Config, kind: string): Iterable<Violation> {
  const indexes = new Map<string, Index>();
  for (const template of objectsOf(config, NIC_GROUP, kind)) {
    const keys = keysOf(template);
    if (keys === undefined) continue;
    const type = textAt(template.spec, 'nicSelector', 'nicType')?.toLowerCase() ?? '';
    const nodes = selectorText(template);
    const own = `${type} of ${nodes}`;
    const every = `${type} of any`;
    const other = conflict(indexes.get(nodes === '' ? every : own), keys) ?? conflict(indexes.get(`${type} of `), keys);
    for (const name of [own, every]) {
      const index = indexes.get(name) ?? new Map<string, InputObject>();
      indexes.set(name, index);
      for (const key of keys) if (!index.has(key)) index.set(key, template);
    }
    if (other === undefined) continue;
    yield {
      origin: within(template.origin, 'spec', 'nicSelector'),
      message: `${kind}s \`${other.name}\` and \`${template.name}\` select the same NICs, to which the operator then applies neither`,
      help: 'make one of them, or narrow both: `pciAddresses`, `serialNumbers`, `partNumbers`, `nodeSelector`',
      related: { origin: within(other.origin, 'spec', 'nicSelector'), message: 'the other is here' },
    };
  }
}

const isEnabled = ({ spec }: InputObject, section: string): boolean =>
  valueAt(spec, ['template', section, 'enabled']) === true;

function* refusedSettings(config: Config): Iterable<Violation> {
  for (const template of objectsOf(config, NIC_GROUP, 'NicConfigurationTemplate')) {
    const at = (section: string, what: string, help: string): Violation => ({
      origin: within(template.origin, 'spec', 'template', section),
      at: 'key',
      message: `NicConfigurationTemplate \`${template.name}\`: ${what}, so the operator does not configure the NICs`,
      help,
    });
    if (isEnabled(template, 'roceOptimized') && textAt(template.spec, 'template', 'linkType') === 'Infiniband')
      yield at('roceOptimized', '`roceOptimized` is for `linkType: Ethernet` only', 'remove one of the two');
    if (!isEnabled(template, 'gpuDirectOptimized')) continue;
    if (!isEnabled(template, 'pciPerformanceOptimized'))
      yield at(
        'gpuDirectOptimized',
        '`gpuDirectOptimized` needs `pciPerformanceOptimized`',
        'add `pciPerformanceOptimized: {enabled: true}`',
      );
  }
}

/** The operator says so only in the status of each NIC and in its events. */
export const nicTemplatesApplied: Rule = {
  code: 'WEFT0536',
  severity: 'warning',
  title: 'the NIC configuration operator applies a template to no NIC',
  checks: [
    {
      program: 'NIC configuration operator',
      source:
        'nic-configuration-operator 8bfbeb3, internal/controller/template_matcher.go and pkg/configuration/configvalidation.go',
      what: 'one template for a NIC; `roceOptimized` with Ethernet; `gpuDirectOptimized` with `pciPerformanceOptimized`',
    },
  ],
  *check(config) {
    for (const kind of KINDS) yield* severalForOneNic(config, kind);
    yield* refusedSettings(config);
  },
};
