import { allAddOns } from '../../compile/addons/all.js';
import { addOnSectionsOfChart } from '../../compile/addons/chart-values.js';
import { mapAt, type ChartValues } from '../../compile/addons/values.js';
import { OFED_GATE_LABEL } from '../../shared/contract/labels.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { canonicalJson, isObject, valueAt } from '../../shared/lib/json.js';
import { counted, listedNames } from '../../shared/lib/listed.js';
import { carriedPaths } from './carried.js';
import { policyOfChart } from './chart-policy.js';
import { mergeValues } from './merge-values.js';
import { DRAIN_CONTROLLER, REQUESTOR, WEBHOOK } from './operator.js';

/** Values of the operator's Helm chart, and what is known of the release. */
export interface ChartRelease {
  /** What the user set, merged into the chart's own values where these are known. */
  readonly values: ChartValues;
  /** What the user set. */
  readonly given: ChartValues;
  readonly name?: string;
  /** The `appVersion` of the chart: the tag of the operator's image. */
  readonly appVersion?: string;
  /** The values are those of the SR-IOV Network Operator's own chart, at the place that they have in the operator's. */
  readonly isOnlySriov?: true;
}

/** What the values say about the settings of the operator itself: the same as its Deployment has. */
interface ChartSettings {
  /** Tag of the operator's image; empty: that of the chart. A policy that is in values is imported whatever operator made it. */
  readonly tag: string;
  readonly binDirectory: string;
  readonly networkDirectory: string;
  /** `undefined`: not said; empty: none. */
  readonly initContainerImage: string | undefined;
  readonly useDriverToolkit: boolean;
}

/** The settings of the operator in the values. */
export function settingsOfChart({ values }: ChartRelease): ChartSettings {
  const operator = mapAt(values, 'operator');
  const text = (key: string) => (typeof operator[key] === 'string' ? operator[key] : '');
  return {
    tag: values['deployCR'] === true ? '' : text('tag'),
    binDirectory: text('cniBinDirectory'),
    networkDirectory: text('cniNetworkDirectory'),
    initContainerImage: initContainerOf(operator),
    useDriverToolkit: operator['useDTK'] !== false,
  };
}

function initContainerOf(operator: ChartValues): string | undefined {
  const given = valueAt(operator, ['ofedDriver', 'initContainer']);
  if (!isObject(given)) return undefined;
  const { enable, repository, image, version } = given;
  if (enable === false) return '';
  const parts = [repository, image, version];
  return parts.every((part) => typeof part === 'string')
    ? `${String(repository)}/${String(image)}:${String(version)}`
    : undefined;
}

/** What the names of objects begin with in the defaults of the sections: the usual name of the release. */
const USUAL_RELEASE = 'network-operator';

/** Names that are empty where they are not set. */
const NAMES = ['nameOverride', 'fullnameOverride'];

/** The sections of add-ons for the values, with the names that the release gave its objects. */
export function sectionsOfChart({ values, name, isOnlySriov }: ChartRelease): Readonly<Record<string, unknown>> {
  const all = Object.entries(addOnSectionsOfChart(values));
  // Node Feature Discovery is a part of the operator's chart, also where its values do not name it.
  const installed = isOnlySriov === true ? all.filter(([key]) => key === 'sriovNetworkOperator') : all;
  const entries = installed.map(([key, section]): [string, unknown] => {
    if (!isObject(section)) return [key, section];
    const given = Object.entries(withoutUnset(overDefaults(key, section)));
    const kept = given.filter(([field, value]) => !NAMES.includes(field) || value !== '');
    const named = section['deploy'] === true ? namesOfRelease(key, name) : {};
    return [key, { ...named, ...Object.fromEntries(kept) }];
  });
  return Object.fromEntries(entries);
}

/** Maps of a section over its defaults, because Helm merges them key by key with those of the chart. */
function overDefaults(key: string, section: ChartValues): ChartValues {
  const defaults = defaultsOf(key);
  const below = Object.entries(defaults).filter(([field]) => isObject(defaults[field]) && isObject(section[field]));
  return mergeValues(Object.fromEntries(below), section);
}

/** Without fields that computed values have empty, and without the label of the gate, which Weft adds where it is the gate. */
function withoutUnset(section: ChartValues): ChartValues {
  const entries = Object.entries(section).filter(([key, value]) => value !== null && key !== OFED_GATE_LABEL);
  return Object.fromEntries(entries.map(([key, value]) => [key, isObject(value) ? withoutUnset(value) : value]));
}

/** The names that a section has for a release of this name; none for the usual one. */
export function namesOfRelease(key: string, name = USUAL_RELEASE): Readonly<Record<string, string>> {
  const usual = defaultsOf(key)['fullnameOverride'];
  if (name === USUAL_RELEASE || typeof usual !== 'string') return {};
  return { releaseName: name, fullnameOverride: usual.replace(USUAL_RELEASE, () => name) };
}

/** The section of an add-on that is deployed as it is by default. */
export function defaultsOf(key: string): Readonly<Record<string, unknown>> {
  const { data } = allAddOns.find(({ source }) => source.path[0] === key)?.schema.safeParse({ deploy: true }) ?? {};
  return isObject(data) ? data : {};
}

/** Values that have no place because of what they are, by their paths: the reason, and what to do. */
const NO_PLACE: readonly (readonly [path: RegExp, reason: string, help?: string])[] = [
  [/^operator\.maintenanceOperator\.useRequestor$/, ...REQUESTOR],
  [/^operator\.maintenanceOperator\.useDrainControllerRequestor$/, ...DRAIN_CONTROLLER],
  [/^operator\.maintenanceOperator(?=\.)/, 'the companion has `upgrade.nodeMaintenance` of the Cluster for that'],
  [/^operator\.admissionController\.enabled$/, ...WEBHOOK],
  [/^operator\.admissionController(?=\.)/, 'Weft has no webhook'],
  [/^(?:operator\.[^.]+|imagePullSecrets$)/, 'Weft has no pod of the operator'],
  [/^(?:upgradeCRDs|keepNCP)$/, 'only hooks of Helm use that'],
  [/^.*\.certificates?\.custom(?=\.)/, 'the input holds no text of a Secret', 'keep the Secret in the cluster'],
];
const UNUSED = [/^.*$/, 'nothing that Weft renders depends on that', undefined] as const;

/** Sections of the policy that charts up to v24.7 make with `deployCR: true`. */
const POLICY_SECTION =
  /^(?:ofedDriver|rdmaSharedDevicePlugin|sriovDevicePlugin|ibKubernetes|secondaryNetwork|nvIpam|nicFeatureDiscovery|docaTelemetryService)\./;
const NO_POLICY = [
  POLICY_SECTION,
  'a chart makes a policy of them only up to v24.7, and with `deployCR: true`',
  'add the policy of the cluster: `kubectl get nicclusterpolicies -o yaml`',
] as const;

/** The values that the user set and that are not carried over: a diagnostic for each reason. */
export function valuesWithoutPlace({ given, values }: ChartRelease): readonly Diagnostic[] {
  const groups = new Map<string, { readonly names: Set<string>; readonly help: string | undefined }>();
  const leaves = leavesOf(given);
  if (leaves.length > VALUES_MAX) return [tooManyValues(leaves.length)];
  const asked = leaves.filter((path) => asksForSomething(valueAt(given, path)));
  const carried = carriedPaths(values, asked, (some) =>
    canonicalJson([
      addOnSectionsOfChart(some),
      settingsOfChart({ values: some, given: some }),
      policyOfChart(some) ?? null,
    ]),
  );
  let lost = 0;
  for (const path of asked) {
    if (carried.has(path)) continue;
    const text = path.join('.');
    const isOfPolicy = values['deployCR'] !== true && POLICY_SECTION.test(text);
    const place = NO_PLACE.find(([one]) => one.test(text)) ?? (isOfPolicy ? NO_POLICY : UNUSED);
    const [pattern, reason, help] = place;
    if (place === UNUSED || place === NO_POLICY) lost += 1;
    const group = groups.get(reason) ?? { names: new Set(), help };
    group.names.add(place === NO_POLICY ? text : (pattern.exec(text)?.[0] ?? text));
    groups.set(reason, group);
  }
  const left = [...groups].map(([reason, { names, help }]) => {
    const [subject, verb] = names.size === 1 ? ['the value', 'is'] : ['the values', 'are'];
    const message = `${subject} ${listedNames([...names], Infinity)} of the chart ${verb} not carried over: ${reason}`;
    return diagnostic('WEFT0560', { message, help });
  });
  return lost > carried.size ? [...left, mostlyLost(lost, lost + carried.size)] : left;
}

function mostlyLost(lost: number, all: number): Diagnostic {
  return diagnostic('WEFT0571', {
    message: `the documents have no place for ${lost} of ${counted(all, 'value')} of the chart, without those of the operator’s own pod and of hooks`,
    help: 'are they those of the operator’s chart? The folder is written; compare it with what you need',
  });
}

/** Ten times what the values of a large cluster are. */
const VALUES_MAX = 2000;

function tooManyValues(count: number): Diagnostic {
  return diagnostic('WEFT0568', {
    message: `the values of the chart are ${count}, and at most ${VALUES_MAX} are read`,
    help: 'give only the values of the operator’s chart that you set',
  });
}

/** A switch that is off, an empty text, and an empty list or mapping ask for nothing. */
function asksForSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : value !== false && value !== '' && value !== null;
}

function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (!isObject(value) || Object.keys(value).length === 0) return path.length === 0 ? [] : [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}
