import { isObject, listAt, textAt } from '../../../../shared/lib/json.js';
import { within, type Instance, type Rule, type Violation } from '../../../model/config.js';
import { sriovConfig } from '../schema.js';
import { jsonData } from '../../../model/shapes/json-text.js';
import { placesIn } from '../../../model/text-place.js';
import { isListWithin } from '../../selector-values.js';

type Fields = Readonly<Record<string, unknown>>;

/** Selectors with lists of what a device may have, those that the fewest devices have first; and those that are set or not. */
const LISTS = [
  'pciAddresses',
  'pfNames',
  'rootDevices',
  'acpiIndexes',
  'pKeys',
  'ddpProfiles',
  'devices',
  'drivers',
  'linkTypes',
  'auxTypes',
  'vendors',
];
const SETTINGS = ['isRdma', 'vdpaType'];

/** A device belongs to the first resource whose selectors it matches. A later one that selects nothing else has none, and is not offered. */
export const devicesTaken: Rule = {
  code: 'WEFT0223',
  severity: 'warning',
  title: 'a resource gets no devices',
  checks: [
    {
      program: 'SR-IOV network device plugin',
      source: 'sriov-network-device-plugin v3.9.0, cmd/sriovdp/manager.go `excludeAllocatedDevices`',
      what: 'each resource selects a device that no resource before it has',
    },
  ],
  *check({ instances }) {
    for (const instance of instances.get('sriov-device-plugin') ?? []) yield* takenIn(instance);
  },
};

function* takenIn(instance: Instance): Iterable<Violation> {
  const { config } = instance.spec as { readonly config?: unknown };
  const placeOf = placesIn(config, within(instance.origin, 'config'));
  const resources = listAt(jsonData(config, sriovConfig), 'resourceList').map((one) => (isObject(one) ? one : {}));
  const earlier = new Map<string, Fields[]>();
  for (const [index, resource] of resources.entries()) {
    const candidates = new Set(
      selectorsOf(resource)
        .slice(0, 1)
        .flatMap(keysOf)
        .flatMap((key) => earlier.get(key) ?? []),
    );
    const first = [...candidates].find((one) => takesAll(one, resource));
    for (const key of new Set(selectorsOf(resource).flatMap(ownKeysOf))) {
      earlier.set(key, earlier.get(key) ?? []);
      earlier.get(key)?.push(resource);
    }
    if (first === undefined) continue;
    const name = (one: Fields) => textAt(one, 'resourceName') ?? '';
    yield {
      ...placeOf(['resourceList', index]),
      message: `resource \`${name(resource)}\` offers no device: \`${name(first)}\` before it takes all that its selectors match`,
      help: 'give them selectors that no device matches both of, such as `pfNames` with ranges of virtual functions, or change their order',
    };
  }
}

const ANY = '';

/** One of these is among the own keys of each selector that matches what this one matches. */
function keysOf(selector: Fields): readonly string[] {
  return [ANY, ...LISTS.map((list) => `${list} ${String(listAt(selector, list)[0])}`)];
}

/** The values of the list of a selector that the fewest devices have. */
function ownKeysOf(selector: Fields): readonly string[] {
  const list = LISTS.find((one) => listAt(selector, one).length > 0);
  return list === undefined ? [ANY] : listAt(selector, list).map((value) => `${list} ${String(value)}`);
}

function takesAll(earlier: Fields, later: Fields): boolean {
  const typeOf = (one: Fields) => textAt(one, 'deviceType') ?? 'netDevice';
  if (typeOf(earlier) !== typeOf(later)) return false;
  return selectorsOf(later).every((inner) => selectorsOf(earlier).some((outer) => isWithin(inner, outer)));
}

function selectorsOf({ selectors }: Fields): readonly Fields[] {
  const all: readonly unknown[] = Array.isArray(selectors) ? selectors : [selectors];
  return all.filter(isObject);
}

/** Whether every device that `inner` matches matches `outer`, too. */
function isWithin(inner: Fields, outer: Fields): boolean {
  const areListsWithin = LISTS.every((key) => isListWithin(listAt(inner, key), listAt(outer, key)));
  return areListsWithin && SETTINGS.every((key) => [undefined, false, '', inner[key]].includes(outer[key]));
}
