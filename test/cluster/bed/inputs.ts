import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { PlacedObject } from '../../../src/compile/model/placed-object.js';
import { chartCluster, chartValues } from '../../conformance/chart-cluster.js';
import { caseNames, crdNames, readCase, readCrd } from '../../conformance/recorded.js';
import { compile } from '../../golden/compile.js';
import type { LiveObject } from './api-client.js';

export type Gate = 'label' | 'ready-file';

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

/** The rendered objects of a case, with the folders of the files; undefined if the input is refused. */
export function placedCase(name: string, gate: Gate): readonly PlacedObject[] {
  const { files } = readCase(name);
  const entries = Object.entries(files).map(([file, text]) => [file, text.replace('gate: label', `gate: ${gate}`)]);
  return compile(Object.fromEntries(entries) as typeof files).placed;
}

/** The objects without their folders. */
export function caseObjects(name: string, gate: Gate): readonly LiveObject[] {
  return placedCase(name, gate).map(({ object }) => object);
}

/** The objects of a cluster with the add-ons of a recorded set of the chart's values, and whereabouts. */
export function chartSetObjects(name: string): readonly LiveObject[] {
  return compile(chartCluster(chartValues(name), { whereabouts: { deploy: true } })).placed.map(({ object }) => object);
}

/** Cases that the operator accepts. */
export function acceptedCases(): readonly string[] {
  return caseNames().filter((name) => readCase(name).accepted);
}

interface Pool {
  readonly arch: string;
}

/** The objects that the operator created for an accepted case, its custom resources, and how many architectures its node pools have. */
export function recordedCase(name: string): {
  readonly objects: readonly LiveObject[];
  readonly owners: readonly LiveObject[];
  readonly architectures: number;
} {
  const { files, objects } = readCase(name);
  const owners = parseAllDocuments(files['policy.yaml'] ?? '')
    .map((document) => document.toJS() as LiveObject | null)
    .filter((object) => object !== null)
    .filter(({ apiVersion }) => apiVersion.startsWith('mellanox.com/'));
  const { spec } = parse(files['cluster.yaml'] ?? '') as { readonly spec: { readonly nodePools?: readonly Pool[] } };
  const architectures = new Set(spec.nodePools?.map(({ arch }) => arch)).size;
  return { objects, owners, architectures };
}

/** The recorded CRDs of the operator and of the programs that it deploys. */
export function recordedCrds(): readonly LiveObject[] {
  return crdNames().map((name) => readCrd(name));
}
