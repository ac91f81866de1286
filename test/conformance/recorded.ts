import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '../crds/facts.js';

/** The recorded data of the operator. It is part of the repository: reading fails if it is missing. */
export const CASES = join(__dirname, 'cases');
const CRDS = join(__dirname, 'crds');

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** An object as JSON has it. */
export interface RecordedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [key: string]: unknown;
}

/** The reason why the operator refuses an input. */
export interface Refusal {
  readonly stage: string;
  readonly path?: string;
  readonly message: string;
  /** Words of which one of our errors must have one. Default: the last part of the path. */
  readonly mentions?: readonly string[];
}

export interface RecordedCase {
  readonly name: string;
  /** The text of the input files, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly accepted: boolean;
  readonly errors: readonly Refusal[];
  /** Fields that the API server drops from the input. */
  readonly unknownFields: readonly string[];
  /** The objects that the operator creates for an accepted input. */
  readonly objects: readonly RecordedObject[];
  /** Names of the CRDs among it. */
  readonly crds: readonly string[];
}

interface Verdict {
  readonly accepted: boolean;
  readonly errors?: readonly Refusal[];
  readonly unknownFields?: readonly string[];
}

/** The names of all cases, sorted. */
export function caseNames(): readonly string[] {
  return readdirSync(CASES).sort();
}

export function readCase(name: string): RecordedCase {
  const folder = join(CASES, name);
  const names = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const files = Object.fromEntries(names.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const { accepted, errors = [], unknownFields = [] } = readJson(join(folder, 'expected/verdict.json')) as Verdict;
  const made = accepted ? readJson(join(folder, 'expected/objects.json')) : {};
  const { objects = [], crds = [] } = made as Partial<Pick<RecordedCase, 'objects' | 'crds'>>;
  return { name, files, accepted, errors, unknownFields, objects, crds };
}

/** Renderings of the operator's Helm chart: sets of values. */
export const CHARTS = join(__dirname, 'chart');

/** Their names, sorted. */
export function chartNames(): readonly string[] {
  return readdirSync(CHARTS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** What the operator's Helm chart renders with the values of a case, hooks included. */
export function chartObjects(name: string): readonly RecordedObject[] {
  return readJson(join(CHARTS, name, 'objects.json')) as readonly RecordedObject[];
}

/** Names of the CustomResourceDefinitions that the chart installs with the values of a case, sorted. */
export function chartCrds(name: string): readonly string[] {
  const lines = readFileSync(join(CHARTS, name, 'index.tsv'), 'utf8').split('\n');
  const rows = lines.map((line) => line.split('\t'));
  return rows.flatMap(([, kind, , crd = '']) => (kind === 'CustomResourceDefinition' ? [crd] : [])).sort();
}

/** A CustomResourceDefinition as it is recorded. */
export interface Crd {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly scope: string;
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** The names of all recorded CRDs, sorted. */
export function crdNames(): readonly string[] {
  return readdirSync(CRDS)
    .map((file) => file.replace(/\.json$/, ''))
    .sort();
}

export function readCrd(name: string): Crd {
  return readJson(join(CRDS, `${name}.json`)) as Crd;
}

/** The schema of `spec` in the one version that our own kinds have. */
export function specOf(crd: Crd): Schema {
  const { properties } = crd.spec.versions[0]?.schema.openAPIV3Schema ?? {};
  return properties?.['spec'] ?? {};
}

/** The names of the CRDs of our input kinds, by kind. */
export const OWN_KINDS: Readonly<Record<string, string>> = {
  NicClusterPolicy: 'nicclusterpolicies.mellanox.com',
  NicNodePolicy: 'nicnodepolicies.mellanox.com',
  MacvlanNetwork: 'macvlannetworks.mellanox.com',
  HostDeviceNetwork: 'hostdevicenetworks.mellanox.com',
  IPoIBNetwork: 'ipoibnetworks.mellanox.com',
};
