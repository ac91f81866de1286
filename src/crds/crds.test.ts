import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';

const IMAGE = { repository: 'registry.k8s.io/nfd/node-feature-discovery', tag: 'v0.18.0' };

/** Those of components, and those of add-ons that are deployed as a whole. */
const brought = [
  ...allComponents.flatMap(({ crds }) => crds),
  ...allAddOns.flatMap(({ crds, schema }) =>
    crds(schema.parse({ deploy: true, image: IMAGE, topologyUpdater: { enable: true, createCRDs: true } }) as never),
  ),
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
