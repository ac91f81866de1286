import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { compareText } from '../../src/shared/lib/json.js';
import { toYaml } from '../../src/compile/render/yaml/yaml.js';
import type { LiveObject } from './bed/api-client.js';
import { label } from './bed/apply-set.js';
import type { ControlPlane } from './bed/control-plane.js';
import { FOREIGN_CRDS, networkCrd } from './bed/foreign-crds.js';
import { chartNames } from '../conformance/recorded.js';
import { acceptedCases, caseObjects, chartSetObjects, exampleObjects, EXAMPLES, type Gate } from './bed/inputs.js';
import { schemaLocation, writeSchemas } from './bed/openapi-schemas.js';
import { binaries, folderOf, startTestBed } from './bed/test-bed.js';

const run = promisify(execFile);
const sorted = (objects: readonly LiveObject[]) => [...objects].sort((a, b) => compareText(label(a), label(b)));

describe('strict tools: kustomize', () => {
  it.each(EXAMPLES)('`kustomize build` of the example $name gives the same objects', async ({ folder }) => {
    const program = join(binaries().kustomize, 'kustomize');
    const { stdout, stderr } = await run(program, ['build', folder], { maxBuffer: 64 * 1024 * 1024 });
    const built = parseAllDocuments(stdout).map((document) => document.toJS() as LiveObject);
    expect(stderr).toBe('');
    expect(sorted(built)).toEqual(sorted(exampleObjects(folder)));
  });
});

describe('strict tools: kubeconform with the schemas of the API server and of our CRDs', () => {
  let controlPlane: ControlPlane;
  let schemas: string;

  beforeAll(async () => {
    controlPlane = await startTestBed('tools', { hasControllers: false });
    schemas = folderOf('schemas');
    const all = acceptedCasesObjects('label').flatMap(({ objects }) => objects);
    const examples = EXAMPLES.flatMap(({ folder }) => exampleObjects(folder));
    const addOns = chartNames().flatMap(chartSetObjects);
    const crds = [...all, ...examples, ...addOns, networkCrd(), ...FOREIGN_CRDS];
    const isCrd = ({ kind }: LiveObject) => kind === 'CustomResourceDefinition';
    expect(await writeSchemas(controlPlane.client, crds.filter(isCrd), schemas)).toBeGreaterThan(100);
  });
  afterAll(() => controlPlane.stop());

  interface Verdict {
    readonly resources: readonly { filename: string; kind: string; name: string; status: string; msg: string }[];
    readonly summary: {
      readonly valid: number;
      readonly invalid: number;
      readonly errors: number;
      readonly skipped: number;
    };
  }

  /** The output of kubeconform for these folders; it exits 1 if an object is invalid. */
  async function conform(folder: string): Promise<Verdict> {
    const args = [
      '-strict',
      '-summary',
      '-output',
      'json',
      '-n',
      '4',
      '-schema-location',
      schemaLocation(schemas),
      folder,
    ];
    const answer = run(join(binaries().kubeconform, 'kubeconform'), args, { maxBuffer: 64 * 1024 * 1024 });
    const { stdout } = await answer.catch((error: unknown) => error as { readonly stdout: string });
    return JSON.parse(stdout) as Verdict;
  }

  it.each(EXAMPLES)('the example $name is clean', async ({ folder }) => {
    // Files that are no manifests are left out.
    const target = join(folderOf('conform'), 'example', folder.split('/').pop() ?? '');
    writeObjects(target, exampleObjects(folder));
    expect(problemsOf(await conform(target))).toEqual([]);
  });

  it.each<Gate>(['label', 'ready-file'])('gate %s: every case is clean', async (gate) => {
    const target = join(folderOf('conform'), gate);
    const cases = acceptedCasesObjects(gate);
    for (const { name, objects } of cases) writeObjects(join(target, name), objects);
    const verdict = await conform(target);
    console.log(`${verdict.summary.valid} objects are valid`);
    expect(problemsOf(verdict)).toEqual([]);
    expect(verdict.summary.valid).toBe(cases.reduce((sum, { objects }) => sum + objects.length, 0));
  });

  it.each(chartNames())('the add-ons of the chart’s values %s, and whereabouts, are clean', async (name) => {
    const target = join(folderOf('conform'), 'chart', name);
    const objects = chartSetObjects(name);
    writeObjects(target, objects);
    const verdict = await conform(target);
    expect(problemsOf(verdict)).toEqual([]);
    expect(verdict.summary.valid).toBe(objects.length);
  });

  it('finds a field that no schema knows and a value of another type', async () => {
    const target = join(folderOf('conform'), 'wrong');
    const map: LiveObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    writeObjects(target, [
      { ...map, datas: {} },
      { ...map, data: { port: 1 } },
    ]);
    expect(problemsOf(await conform(target))).toHaveLength(2);
  });

  function problemsOf({ resources }: Verdict): readonly string[] {
    return resources.map(({ filename, msg }) => `${filename}: ${msg}`);
  }
});

function acceptedCasesObjects(
  gate: Gate,
): readonly { readonly name: string; readonly objects: readonly LiveObject[] }[] {
  return acceptedCases().map((name) => ({ name, objects: caseObjects(name, gate) }));
}

/** Writes one file for each object, with our own writer. */
function writeObjects(folder: string, objects: readonly LiveObject[]): void {
  mkdirSync(folder, { recursive: true });
  objects.forEach((object, index) => writeFileSync(join(folder, `${index}.yaml`), toYaml(object)));
}
