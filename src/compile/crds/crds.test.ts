import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';

/** Settings with which a deployed add-on renders all of its definitions. */
const MORE: Readonly<Record<string, object>> = {
  'node-feature-discovery': { topologyUpdater: { enable: true, createCRDs: true } },
};

/** Those of components, and those of add-ons that are deployed as a whole. */
const brought = [
  ...allComponents.flatMap(({ crds }) => crds),
  ...allAddOns.flatMap(({ id, crds, schema }) => crds(schema.parse({ deploy: true, ...MORE[id] }) as never)),
];

const files = readdirSync(__dirname).filter((name) => name.endsWith('.json'));

describe('the CRDs in this folder', () => {
  it.each(files)('%s has the name of its CRD and its source, and a component or an add-on brings it', (file) => {
    const recorded = JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as {
      source: { project?: string; file?: string };
      crd: { kind: string; metadata: { name: string } };
    };
    const { source, crd } = recorded;
    expect(file).toBe(`${crd.metadata.name}.json`);
    expect(crd.kind).toBe('CustomResourceDefinition');
    expect(source).toMatchObject({ project: expect.any(String), file: expect.any(String) });
    expect(brought).toContainEqual(expect.objectContaining(recorded));
  });
});
