import type * as z from 'zod';
import { within, type Violation, type Instance, type Rule } from '../model/config.js';
import { interfaceNameProblem } from '../model/interface-name.js';
import { isUnfilled } from '../model/unfilled.js';
import { formatPath } from '../model/issues.js';
import { jsonData } from '../model/shapes/json-text.js';
import { placesIn } from '../model/text-place.js';
import type { PathStep } from '../../shared/diagnostics/diagnostic.js';
import { isObject, listAt } from '../../shared/lib/json.js';

/** Why no device has a value, and the right one. */
interface Problem {
  readonly fact: string;
  readonly help: string;
}
type Form = (text: string) => Problem | undefined;

/** The configuration of a device plugin: where its selectors are, and the form of each value. */
interface SelectorValues {
  readonly componentId: string;
  /** The plugin in the words of the reference. */
  readonly program: string;
  /** Key of the list of resources. */
  readonly list: string;
  /** Of the whole configuration. */
  readonly schema: z.ZodType;
  /** By key of a selector. */
  readonly forms: Readonly<Record<string, Form>>;
  /** By key of the resource itself. */
  readonly ofResource?: Readonly<Record<string, Form>>;
  /** Key of a resource with the number of devices that it offers; absent: not a number of the configuration. */
  readonly count?: string;
  readonly source: string;
}

const lowerCase = (text: string): Problem => ({
  fact: `is \`${text}\`, and the system writes it in lower case`,
  help: `write \`${text.toLowerCase()}\``,
});

/** As the system shows it (jaypipes/ghw v0.24.0, pkg/pci/pci_linux.go `parseModaliasData`). */
export const pciId: Form = (id) => {
  if (/^[0-9a-f]{4}$/.test(id)) return undefined;
  if (/^[0-9a-f]{4}$/i.test(id)) return lowerCase(id);
  const digits = /^0x([0-9a-f]{4})$/i.exec(id)?.[1];
  return {
    fact: `is \`${id}\`, which no device has: PCI ids are four hexadecimal digits`,
    help: digits === undefined ? '`lspci -nn` shows the ids of a node' : `write \`${digits.toLowerCase()}\``,
  };
};

const PCI_ADDRESS = /^[0-9a-f]{4,8}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]$/;

export const pciAddress: Form = (text) => {
  if (PCI_ADDRESS.test(text)) return undefined;
  if (PCI_ADDRESS.test(text.toLowerCase())) return lowerCase(text);
  const withDomain = `0000:${text.toLowerCase()}`;
  return {
    fact: `is \`${text}\`, which no device has: PCI addresses are such as \`0000:3b:00.0\``,
    help: PCI_ADDRESS.test(withDomain) ? `write \`${withDomain}\`` : '`lspci -D` shows the addresses of a node',
  };
};

/** The link types of NICs as the kernel names them (vishvananda/netlink, link_linux.go `encapType`). */
export const linkType: Form = (text) => {
  if (text === 'ether' || text === 'infiniband') return undefined;
  const meant = {
    ib: 'infiniband',
    infiniband: 'infiniband',
    eth: 'ether',
    ethernet: 'ether',
    ether: 'ether',
    roce: 'ether',
  };
  const right = Object.entries(meant).find(([name]) => name === text.toLowerCase())?.[1];
  return {
    fact: `is \`${text}\`, which is no link type of a NIC`,
    help: right === undefined ? 'write `ether` or `infiniband`' : `write \`${right}\``,
  };
};

/** Both plugins compare with the kernel's name. */
export const interfaceName: Form = (name) => {
  const problem = interfaceNameProblem(name);
  return problem && { fact: `is \`${name}\`, which ${problem.fact}`, help: problem.help };
};

export const vdpaType: Form = (text) =>
  text === '' || text === 'virtio' || text === 'vhost'
    ? undefined
    : { fact: `is \`${text}\`, which is no vDPA type`, help: 'write `virtio` or `vhost`' };

/** Whether a list of a selector takes only devices that the list of another one takes, too. An empty list takes all. */
export function isListWithin(inner: readonly unknown[], outer: readonly unknown[]): boolean {
  return outer.length === 0 || (inner.length > 0 && inner.every((value) => outer.includes(value)));
}

/** A name or an address with numbers of virtual functions (sriov-network-device-plugin v3.9.0, pkg/resources/deviceSelectors.go `isSelected`). */
export const withFunctions =
  (form: Form): Form =>
  (text) => {
    const [name = '', numbers, ...more] = text.split('#');
    const isRange = more.length === 0 && numbers !== undefined && /^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/.test(numbers);
    const reversed = isRange ? numbers.split(',').find(isReversed) : undefined;
    if (reversed !== undefined) {
      return {
        fact: `is \`${text}\`, where \`${reversed}\` ends before it begins`,
        help: `write \`${reversed.split('-').reverse().join('-')}\``,
      };
    }
    if (numbers === undefined || isRange) return form(name);
    return {
      fact: `is \`${text}\`, which has no numbers of virtual functions behind its \`#\``,
      help: `write it as \`${name}#0-7\` or \`${name}#0,2,4\``,
    };
  };

function isReversed(range: string): boolean {
  const [first, last] = range.split('-').map(Number);
  return first !== undefined && last !== undefined && last < first;
}

/** Drivers of devices on the PCI bus; the system writes modules that drive none of them, and other spellings, nowhere. */
export const pciDriver: Form = (text) =>
  /^mlx5(?:[-_](?:core|ib|en))?$/i.test(text) && text !== 'mlx5_core'
    ? { fact: `is \`${text}\`, which drives no device on the PCI bus`, help: 'write `mlx5_core`' }
    : undefined;

/** Both device plugins compare these values with what the system says. In another form they select no device. */
export function selectorValues(values: SelectorValues): Rule {
  return {
    code: 'WEFT0223',
    severity: 'warning',
    title: 'a resource gets no devices',
    checks: [
      {
        program: values.program,
        source: values.source,
        what: `the form of ${[...Object.keys(values.ofResource ?? {}), ...Object.keys(values.forms)].map((key) => `\`${key}\``).join(', ')}`,
      },
    ],
    *check({ instances }) {
      for (const instance of instances.get(values.componentId) ?? []) yield* problemsOf(instance, values);
    },
  };
}

function* problemsOf(
  instance: Instance,
  { list, schema, forms, ofResource = {}, count }: SelectorValues,
): Iterable<Violation> {
  const { config } = instance.spec as { readonly config?: unknown };
  const origin = within(instance.origin, 'config');
  const placeOf = placesIn(config, origin);
  const at = (path: readonly PathStep[], { fact, help }: Problem): Violation => ({
    ...placeOf(path),
    message: `\`${formatPath([...origin.path, ...path])}\` ${fact}`,
    help,
  });
  for (const [index, resource] of listAt(jsonData(config, schema), list).entries()) {
    if (!isObject(resource)) continue;
    const path = [list, index];
    if (count !== undefined && (resource[count] ?? 0) === 0) {
      yield at(path, {
        fact: `offers no device: \`${count}\` is 0`,
        help: `write how many pods of a node may have it`,
      });
    }
    for (const { path: place, problem } of problemsIn(resource, ofResource)) yield at([...path, ...place], problem);
    for (const selector of selectorsOf(resource)) {
      for (const { path: place, problem } of problemsIn(selector.value, forms)) {
        yield at([...path, ...selector.path, ...place], problem);
      }
    }
  }
}

interface Placed {
  readonly path: readonly PathStep[];
  readonly value: unknown;
}

/** A resource has one selector, or a list of them. */
function selectorsOf({ selectors }: Readonly<Record<string, unknown>>): readonly Placed[] {
  if (!Array.isArray(selectors)) return [{ path: ['selectors'], value: selectors }];
  return selectors.map((value: unknown, index) => ({ path: ['selectors', index], value }));
}

function problemsIn(values: unknown, forms: Readonly<Record<string, Form>>) {
  return Object.entries(forms).flatMap(([key, form]) =>
    textsAt(values, key).flatMap(({ path, text }) => {
      const problem = isUnfilled(text) ? undefined : form(text);
      return problem ? [{ path, problem }] : [];
    }),
  );
}

/** The texts of a key, which is a list or one value. */
function textsAt(
  values: unknown,
  key: string,
): readonly { readonly path: readonly PathStep[]; readonly text: string }[] {
  const value = isObject(values) ? values[key] : undefined;
  if (typeof value === 'string') return [{ path: [key], text: value }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((text: unknown, index) => (typeof text === 'string' ? [{ path: [key, index], text }] : []));
}
