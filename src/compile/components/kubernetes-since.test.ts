import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { isObject } from '../../shared/lib/json.js';
import { compareVersions } from '../../shared/lib/version.js';
import { allComponents } from './all.js';
import { SINCE } from './kubernetes-since.js';

/** How to detect a field: by a key, a value, or both. */
const MARKS: Readonly<Record<keyof typeof SINCE, (key: string, value: unknown) => boolean>> = {
  appsV1: (key, value) => key === 'apiVersion' && value === 'apps/v1',
  systemPriority: (key, value) => key === 'priorityClassName' && /^system-/.test(String(value)),
  startupProbe: (key) => key === 'startupProbe',
  validationRules: (key) => key === 'x-kubernetes-validations',
};

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap(entriesOf);
  return isObject(value) ? Object.entries(value).flatMap((entry) => [entry, ...entriesOf(entry[1])]) : [];
}

function goldenObjects(id: string): readonly unknown[] {
  const folder = join(__dirname, id, 'golden');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .map((document) => document.toJS() as unknown);
}

describe('the oldest Kubernetes of a component', () => {
  it.each(allComponents)('is what the newest thing in the objects of $id needs', ({ id, crds, minimumKubernetes }) => {
    const entries = entriesOf([...goldenObjects(id), ...crds.map(({ crd }) => crd)]);
    const used = Object.entries(MARKS).filter(([, isMarked]) => entries.some(([key, value]) => isMarked(key, value)));
    const needs = used.map(([name]) => SINCE[name as keyof typeof SINCE]);
    expect(minimumKubernetes).toEqual(needs.sort((a, b) => compareVersions(a.version, b.version)).at(-1));
  });
});
