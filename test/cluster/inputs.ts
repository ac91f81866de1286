import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { PlacedObject } from '../../src/constructs/folder.js';
import { compile } from '../golden/compile.js';
import type { LiveObject } from './api-client.js';

/** Objects that are applied together. */
export interface ObjectSet {
  readonly name: string;
  readonly objects: readonly LiveObject[];
}

export type Gate = 'label' | 'ready-file';

/** Recorded inputs and outputs of the operator: beside the repository, not in it. */
const CONFORMANCE = join(process.cwd(), '../shared/conformance');
export const isConformanceThere = existsSync(CONFORMANCE);
if (!isConformanceThere) console.warn(`CONFORMANCE CASES ARE NOT TESTED: there is no ${CONFORMANCE}`);

/** Names of the examples, with the folder of manifests that is committed for each. */
export const EXAMPLES: readonly { readonly name: string; readonly folder: string }[] = readdirSync('dist')
  .sort()
  .map((name) => ({ name, folder: join(process.cwd(), 'dist', name) }));

/** The manifests of an example, in the order of its kustomization. */
export function exampleObjects(folder: string): readonly LiveObject[] {
  const { resources } = readYaml(join(folder, 'kustomization.yaml')) as { readonly resources: readonly string[] };
  return resources.map((path) => readYaml(join(folder, path)) as LiveObject);
}

export function readYaml(path: string): unknown {
  return parse(readFileSync(path, 'utf8'));
}

/** Text of the input files of a conformance case, with one of the gates. */
function caseFiles(name: string, gate: Gate): Readonly<Record<string, string>> {
  const folder = join(CONFORMANCE, 'cases', name);
  const files = readdirSync(folder).filter((file) => statSync(join(folder, file)).isFile());
  return Object.fromEntries(
    files.map((file) => [file, readFileSync(join(folder, file), 'utf8').replace('gate: label', `gate: ${gate}`)]),
  );
}

/** What the generator makes of a case, with the folders of the files; nothing where it refuses it. */
export function placedCase(name: string, gate: Gate): readonly PlacedObject[] {
  return compile(caseFiles(name, gate)).placed;
}

/** The objects alone. */
export function caseObjects(name: string, gate: Gate): readonly LiveObject[] {
  return placedCase(name, gate).map(({ object }) => object);
}

/** Cases that the operator accepts. */
export function acceptedCases(): readonly string[] {
  const cases = join(CONFORMANCE, 'cases');
  return readdirSync(cases).filter((name) => {
    const verdict = JSON.parse(readFileSync(join(cases, name, 'expected/verdict.json'), 'utf8')) as {
      readonly accepted: boolean;
    };
    return verdict.accepted;
  });
}

/** What the operator made of an accepted case, and the custom resources that it made it of. */
export function recordedCase(name: string): {
  readonly objects: readonly LiveObject[];
  readonly owners: readonly LiveObject[];
} {
  const folder = join(CONFORMANCE, 'cases', name);
  const { objects } = JSON.parse(readFileSync(join(folder, 'expected/objects.json'), 'utf8')) as {
    readonly objects: readonly LiveObject[];
  };
  const documents = parseAllDocuments(readFileSync(join(folder, 'policy.yaml'), 'utf8'));
  const owners = documents
    .map((document) => document.toJS() as LiveObject | null)
    .filter((object) => object !== null)
    .filter(({ apiVersion }) => apiVersion.startsWith('mellanox.com/'));
  return { objects, owners };
}

/** CRDs of the operator and of what it deploys, as recorded. */
export function recordedCrds(): readonly LiveObject[] {
  const folder = join(CONFORMANCE, 'crds');
  return readdirSync(folder)
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as LiveObject);
}
