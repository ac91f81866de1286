import { describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart } from 'cdk8s';
import { applyPatches, PatchError } from './patches.js';

/** A ConfigMap that counts how often its data is read. */
class CountedConfigMap extends ApiObject {
  asked = 0;

  override toJson() {
    this.asked += 1;
    return super.toJson() as unknown;
  }
}

function treeOfOne() {
  const chart = new Chart(new App(), 'chart');
  const metadata = { name: 'one' };
  return { chart, object: new CountedConfigMap(chart, 'one', { apiVersion: 'v1', kind: 'ConfigMap', metadata }) };
}

const write = (key: string) => ({ target: { kind: 'ConfigMap' }, patch: { data: { [key]: 'x' } } });

describe('the tree', () => {
  it('has what all patches wrote, and each object is asked for its data once', () => {
    const { chart, object } = treeOfOne();
    expect(applyPatches([chart], ['a', 'b', 'c'].map(write))).toEqual([]);
    expect(object.asked).toBe(1);
    expect(chart.toJson()).toMatchObject([{ data: { a: 'x', b: 'x', c: 'x' } }]);
  });

  it('is as it was where one of the patches does not fit', () => {
    const { chart } = treeOfOne();
    const before = chart.toJson();
    expect(() => applyPatches([chart], [write('a'), { target: { kind: 'Secret' }, patch: {} }])).toThrow(PatchError);
    expect(chart.toJson()).toEqual(before);
  });
});
