import { describe, expect, it } from '@jest/globals';
import { readCrd, RECORDED_RELEASES } from '../../../test/conformance/recorded.js';
import { withoutDescriptions } from '../../../test/conformance/compare.js';
import { crdKinds } from '../passthrough/kinds.js';
import { changesAfter, definitionOf } from './of-release.js';

const OPERATOR = /^(?:configuration\.net|spectrumx|nv-ipam|mellanox|k8s\.cni)/;

describe('the definitions of a release', () => {
  it.each(RECORDED_RELEASES)('%s: all are those that its operator has', (release) => {
    const cluster = { spec: { release } };
    const definitions = [...new Set(crdKinds.map(({ crd }) => crd))].filter(({ metadata }) =>
      OPERATOR.test(metadata.name.replace(/^[^.]*\./, '')),
    );
    expect(definitions.length).toBeGreaterThan(5);
    for (const crd of definitions) {
      const { spec } = definitionOf(cluster, crd) as unknown as { readonly spec: unknown };
      expect(withoutDescriptions(spec)).toEqual(withoutDescriptions(readCrd(crd.metadata.name, release).spec));
    }
    const changed = definitions.filter(({ metadata }) => changesAfter(cluster, metadata.name).length > 0);
    expect(changed).not.toEqual([]);
  });

  it('are the newest ones as they are, and one object for equal clusters', () => {
    const [kind] = crdKinds.filter(({ kind: name }) => name === 'NicDevice');
    if (!kind) throw new Error('no NicDevice');
    expect(definitionOf({ spec: {} }, kind.crd)).toBe(kind.crd);
    expect(definitionOf({ spec: { release: 'v26.7' } }, kind.crd)).toBe(kind.crd);
    const older = definitionOf({ spec: { release: 'v26.4' } }, kind.crd);
    expect(older).not.toBe(kind.crd);
    expect(definitionOf({ spec: { release: 'v26.4' } }, kind.crd)).toBe(older);
  });
});
