import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allComponents } from '../components/registry.js';
import { findCrd } from './catalog.js';

const files = readdirSync(__dirname).filter((name) => name.endsWith('.json'));

describe('the CRD catalog', () => {
  it.each(files)('has %s under the name of its CRD, with its source', (file) => {
    const { source, crd } = JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as {
      source: { project?: string; file?: string };
      crd: { metadata: { name: string } };
    };
    expect(file).toBe(`${crd.metadata.name}.json`);
    expect(findCrd(crd.metadata.name)).toEqual(crd);
    expect(source).toMatchObject({ project: expect.any(String), file: expect.any(String) });
  });

  it.each(allComponents.flatMap(({ crds }) => crds))('has %s, which a component brings', (name) => {
    expect(findCrd(name)).toMatchObject({ kind: 'CustomResourceDefinition', metadata: { name } });
  });
});
