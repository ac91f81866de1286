import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRelease } from '../../src/compile/releases/catalog.js';
import { imageReference } from '../../src/shared/kubernetes/image-reference.js';
import type { Schema } from '../crds/facts.js';

/** The recorded data of the operator. It is part of the repository: reading fails if it is missing. */
export const CASES = join(__dirname, 'cases');
const CRDS = join(__dirname, 'crds');
const RELEASES = join(__dirname, 'releases');

/** Releases of which the same cases were recorded; the cases themselves are of the newest one. */
export const RECORDED_RELEASES: readonly string[] = readdirSync(RELEASES).sort();

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
  /** The release that it was recorded from, if not the newest one; the Cluster of the input chooses it. */
  readonly release?: string;
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

/** A case as the operator of a release renders it. */
export function readCase(name: string, release?: string): RecordedCase {
  const folder = join(CASES, name);
  const ofRelease = release === undefined ? folder : join(RELEASES, release, 'cases', name);
  const expected = release !== undefined && existsSync(ofRelease) ? ofRelease : join(folder, 'expected');
  const made = readExpected(expected);
  return { name, ...(release !== undefined && { release }), files: readFiles(folder, release), ...made };
}

/** Images of the release candidates that the chart and the cases of v26.7 were recorded from. */
const CANDIDATE =
  /nvcr\.io\/(?:nvstaging\/mellanox|nvidia\/doca)\/([\w-]+):(?:network-operator-v26\.7\.0-rc\.\d|doca3\.5\.0-26\.07-0\.7\.3\.0-0|1\.25\.5-doca3\.4\.0-host)/g;
const FINAL = new Map(
  Object.values(findRelease('v26.7')?.images ?? {}).map((image) => [image.image, imageReference(image)]),
);

function withFinalImages(objects: readonly RecordedObject[]): readonly RecordedObject[] {
  const text = JSON.stringify(objects).replace(CANDIDATE, (found, image: string) => FINAL.get(image) ?? found);
  return JSON.parse(text) as readonly RecordedObject[];
}

/** The version that was recorded, if it is a final one: the name of a release is its newest. */
function inRecordedVersion(files: Readonly<Record<string, string>>, release: string): Readonly<Record<string, string>> {
  const recorded = findRelease(release)?.templates.version ?? '';
  const { 'cluster.yaml': cluster = '', ...others } = files;
  const version = findRelease(recorded) ? recorded : release;
  return { 'cluster.yaml': cluster.replace(/^ {2}release: .*$/m, `  release: ${version}`), ...others };
}

/** Cases with the images that a release names. */
export function releasedCases(release: string): readonly RecordedCase[] {
  const root = join(RELEASES, release, 'released');
  const isCandidate = findRelease(release)?.templates.version.includes('-rc.') ?? false;
  return readdirSync(root)
    .sort()
    .map((name) => ({ name, release, files: readFiles(join(root, name)), ...readExpected(join(root, name)) }))
    .map((one) => ({ ...one, files: inRecordedVersion(one.files, release) }))
    .map((one) => (isCandidate ? { ...one, objects: withFinalImages(one.objects) } : one));
}

function readExpected(folder: string): Omit<RecordedCase, 'name' | 'release' | 'files'> {
  const { accepted, errors = [], unknownFields = [] } = readJson(join(folder, 'verdict.json')) as Verdict;
  const made = accepted ? readJson(join(folder, 'objects.json')) : {};
  const { objects = [], crds = [] } = made as Partial<Pick<RecordedCase, 'objects' | 'crds'>>;
  return { accepted, errors, unknownFields, objects, crds };
}

function readFiles(folder: string, release?: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const files = Object.fromEntries(names.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const { 'cluster.yaml': cluster = '', ...others } = files;
  return release === undefined ? files : { 'cluster.yaml': withRelease(cluster, release), ...others };
}

/** The release without its init container, which the operators of the cases do not have. */
function withRelease(cluster: string, release: string): string {
  const chosen = cluster.replace(/^spec:$/m, `spec:\n  release: ${release}`);
  if (chosen.includes('initContainerImage')) return chosen;
  return chosen.replace(/^ {2}driver:$/m, '  driver:\n    initContainerImage: ""');
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

/** What the operator's Helm chart renders with the values of a case, hooks included; images are those of the final release. */
export function chartObjects(name: string): readonly RecordedObject[] {
  return withFinalImages(readJson(join(CHARTS, name, 'objects.json')) as readonly RecordedObject[]);
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

export function readCrd(name: string, release = ''): Crd {
  const ofRelease = join(RELEASES, release, 'crds', `${name}.json`);
  return readJson(release !== '' && existsSync(ofRelease) ? ofRelease : join(CRDS, `${name}.json`)) as Crd;
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
