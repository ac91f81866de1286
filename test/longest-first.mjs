import { createRequire } from 'node:module';

// jest exports it for CommonJS.
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Files that take longer than a few seconds, the longest first. */
const LONGEST = [
  'test/new-component',
  'test/hostile/memory',
  'test/hostile/process',
  'test/properties',
  'src/load/program/program',
  'test/merges',
  'test/sim/stuck-states',
  'test/conformance/conformance',
  'test/ci-examples/ci-examples',
  'test/docs',
  'test/sim/small-clusters',
  'test/constructs-examples',
  'src/upgrade/runtime/kube-port/kube-port',
  'test/sim/simulation',
  'test/sim/full-clusters',
  'test/gitops/controller-crds',
  'src/render/tree/write',
  'src/cli/diff/diff',
  'test/reuse',
];

/**
 * The longest files first, so that no core is left with one of them in the end. jest remembers by itself how long files
 * took, but not in a fresh clone: there it goes by their sizes, which say nothing about it.
 */
export default class extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => LONGEST.findIndex((name) => path.includes(`/${name}.test.`)) >>> 0;
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
