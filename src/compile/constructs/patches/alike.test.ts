import { describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart } from 'cdk8s';
import type { Patch } from '../../model/patch.js';
import { applyPatches, PatchError } from './patches.js';
import type { PatchProblem } from './problems.js';

const template = (image: string) => ({
  spec: { template: { spec: { containers: [{ name: 'main', image, env: [{ name: 'A', value: image }] }] } } },
});

const OBJECTS = [
  { apiVersion: 'apps/v1', kind: 'DaemonSet', ...template('one') },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', ...template('two') },
  { apiVersion: 'apps/v1', kind: 'Deployment', ...template('three') },
  { apiVersion: 'v1', kind: 'ConfigMap', data: { b: '1', a: '2' } },
  { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '3' } },
  { apiVersion: 'nv-ipam.nvidia.com/v1alpha1', kind: 'IPPool', spec: { subnet: '10.0.0.0/8' } },
  { apiVersion: 'nv-ipam.nvidia.com/v1alpha1', kind: 'IPPool', spec: { subnet: '11.0.0.0/8' } },
  { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', spec: { selfSigned: {} } },
].map((object, index) => ({ ...object, metadata: { name: `o${index}`, labels: { all: 'yes' } } }));

const container = (fields: object) => ({ spec: { template: { spec: { containers: [fields] } } } });

const BODIES: readonly { readonly name: string; readonly patch: Patch['patch'] }[] = [
  { name: 'a label', patch: { metadata: { labels: { b: 'c' } } } },
  { name: 'data, which is no field of most', patch: { data: { c: 'x', a: 'y' } } },
  { name: 'data that goes', patch: { data: { b: null } } },
  { name: 'a text in place of a mapping', patch: { spec: 'x' } },
  { name: 'a container', patch: container({ name: 'main', env: [{ name: 'B', value: 'x' }] }) },
  { name: 'a container whose name is misspelt', patch: container({ name: 'mian', image: 'x' }) },
  { name: 'a container that goes and is not there', patch: container({ name: 'gone', $patch: 'delete' }) },
  { name: 'a field that is misspelt', patch: { spec: { templat: {}, subnett: 'x' } } },
  { name: 'a directive that there is not', patch: { metadata: { $patch: 'keep' } } },
  { name: 'what is there already', patch: { metadata: { labels: { all: 'yes' } } } },
  {
    name: 'by operations what each has',
    patch: [{ op: 'copy', from: '/metadata/name', path: '/metadata/labels/name' }],
  },
  {
    name: 'by an operation a container without a name',
    patch: [{ op: 'add', path: '/spec/template', value: container({}).spec.template }],
  },
];

function apply(objects: readonly (typeof OBJECTS)[number][], patch: Patch['patch']) {
  const chart = new Chart(new App(), 'chart');
  for (const object of objects) new ApiObject(chart, object.metadata.name, object);
  try {
    const problems = applyPatches([chart], [{ target: { labelSelector: 'all=yes' }, patch }]);
    return { made: chart.toJson() as unknown[], problems };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return { made: chart.toJson() as unknown[], problems: error.problems };
  }
}

const isError = ({ code }: PatchProblem) => code !== 'WEFT0245' && code !== 'WEFT0246';

/** All but the objects that are named, and the help, which is that of the first of them. */
const kindsOf = (problems: readonly PatchProblem[]) =>
  [...new Set(problems.map(({ code, path, at }) => JSON.stringify([code, path, at])))].sort();

describe('a patch of several objects', () => {
  it.each(BODIES)('does to each what it does to it alone: $name', ({ patch }) => {
    const together = apply(OBJECTS, patch);
    const alone = OBJECTS.map((object) => apply([object], patch));
    const idle = (problem: PatchProblem) => problem.help?.startsWith('what it writes is there already') === true;
    const said = alone.flatMap(({ problems }) => problems);
    // Where it changes one of them it is not idle.
    const isIdle = together.problems.some(idle);
    expect(kindsOf(together.problems)).toEqual(kindsOf(said.filter((problem) => isIdle || !idle(problem))));
    // The tree stays as it was where one of them is wrong.
    const expected = together.problems.some(isError)
      ? OBJECTS.map((object) => apply([object], {}).made)
      : alone.map(({ made }) => made);
    expect(JSON.stringify(together.made)).toBe(JSON.stringify(expected.flat()));
  });
});
