import { describe, expect, it } from '@jest/globals';
import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';
import { codes } from '../../shared/diagnostics/codes.js';
import { crdKinds } from './kinds.js';
import { passthroughKinds } from './table.js';

interface Spec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly { readonly name: string }[];
}

const definitions = [...allComponents.flatMap(({ crds }) => crds), ...allAddOns.flatMap((one) => one.definitions)];

describe('the table of kinds that are passed on', () => {
  it('has the definitions of components and add-ons, with their versions', () => {
    const ofDefinitions = definitions.map(({ crd }) => {
      const { group, names, versions } = crd['spec'] as Spec;
      return `${group} ${names.kind} ${versions.map(({ name }) => name).join()}`;
    });
    const rows = passthroughKinds.map(({ group, kind, versions }) => `${group} ${kind} ${versions.join()}`);
    expect(rows).toEqual([...new Set(rows)].sort());
    expect(rows).toEqual([...new Set(ofDefinitions)].sort());
  });

  it('knows where each definition is from', () => {
    const silent = crdKinds.filter(({ source }) => source.project === '' || source.file === '');
    expect(silent).toEqual([]);
  });

  it('names rules that there are', () => {
    const unknown = passthroughKinds.flatMap(({ rules }) => rules).filter((code) => !Object.hasOwn(codes, code));
    expect(unknown).toEqual([]);
  });
});
