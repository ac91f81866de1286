import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { PathStep } from '../../src/shared/diagnostics/diagnostic.js';
import { fieldType, kubernetesType, type FieldType } from '../../src/shared/kubernetes/api/field-types.js';
import { isObject } from '../../src/shared/lib/json.js';
import type { ControlPlane } from './bed/control-plane.js';
import type { LiveObject } from './bed/api-client.js';
import { startTestBed } from './bed/test-bed.js';

/** The API server rejects an object of Kubernetes without a field that Weft calls missing, for every kind that users write. */
const objects = parseAllDocuments(readFileSync('test/cluster/required-fields.yaml', 'utf8')).map(
  (document) => document.toJS() as LiveObject,
);

/** The paths of all required fields in a value. */
function* requiredFields(type: FieldType, value: unknown, path: readonly PathStep[]): Iterable<readonly PathStep[]> {
  if (type.is === 'mapping' && isObject(value)) {
    for (const key of type.required?.() ?? []) yield [...path, key];
  }
  const entries: Iterable<readonly [PathStep, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(isObject(value) ? value : {});
  for (const [key, inner] of entries) {
    const known = fieldType(type, String(key));
    if (known) yield* requiredFields(known, inner, [...path, key]);
  }
}

function without(object: LiveObject, path: readonly PathStep[]): LiveObject {
  const copy = structuredClone(object);
  const parent = path.slice(0, -1).reduce<unknown>((inner, step) => (inner as never)[step], copy);
  Reflect.deleteProperty(parent as object, path.at(-1) ?? '');
  return copy;
}

const cases = objects.map((object) => {
  const type = kubernetesType(object.apiVersion, object.kind);
  if (!type) throw new Error(`there is no type of ${object.apiVersion} ${object.kind}`);
  return { name: `${object.apiVersion} ${object.kind}`, object, paths: [...requiredFields(type, object, [])] };
});

describe('the fields that kinds of Kubernetes require', () => {
  let controlPlane: ControlPlane;
  beforeAll(async () => {
    controlPlane = await startTestBed('required-fields', { hasControllers: false });
  });
  afterAll(async () => {
    await controlPlane.stop();
  });

  async function refusal(object: LiveObject): Promise<string | undefined> {
    const { client } = controlPlane;
    const path = (await client.pathOf(object)).replace(/\/[^/]*$/, '');
    const answer = await client.send('POST', `${path}?dryRun=All&fieldValidation=Strict`, object);
    return answer.status < 300 ? undefined : JSON.stringify(answer.body['message']);
  }

  it.each(cases)('$name', async ({ object, paths }) => {
    expect(await refusal(object)).toBeUndefined();
    const taken: string[] = [];
    for (const path of paths) if ((await refusal(without(object, path))) === undefined) taken.push(path.join('.'));
    expect(taken).toEqual([]);
  });
});
