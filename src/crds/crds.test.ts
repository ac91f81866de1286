import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allComponents } from '../components/all.js';

const files = readdirSync(__dirname).filter((name) => name.endsWith('.json'));

describe('the CRDs in this folder', () => {
  it.each(files)('%s has the name of its CRD and its source, and a component brings it', (file) => {
    const recorded = JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as {
      source: { project?: string; file?: string };
      crd: { kind: string; metadata: { name: string } };
    };
    const { source, crd } = recorded;
    expect(file).toBe(`${crd.metadata.name}.json`);
    expect(crd.kind).toBe('CustomResourceDefinition');
    expect(source).toMatchObject({ project: expect.any(String), file: expect.any(String) });
    expect(allComponents.flatMap(({ crds }) => crds)).toContainEqual(expect.objectContaining(recorded));
  });
});
