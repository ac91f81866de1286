import { createRequire } from 'node:module';

// jest exports it for CommonJS.
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Files that take longer than a few seconds, the longest first. */
const LONGEST = [
  'test/together/test',
  'test/together/cli',
  'test/docs',
  'test/conformance/conformance',
  'test/properties',
  'test/review/rollout',
  'test/fleet',
  'test/patterns',
  'test/new-component',
  'test/together/config',
  'test/together/companion',
  'test/together/build',
  'test/together/shared',
  'test/sim/cases/one-upgrade',
  'test/sim/invariants',
  'test/merges',
  'src/compile/load/program/program',
  'test/hostile/process',
  'test/ci-examples/ci-examples',
  'test/hostile/memory',
  'test/sim/cases/take-overs',
  'test/sim/cases/stuck-states',
  'test/sim/cases/full-clusters',
  'test/sim/cases/small-clusters',
  'test/hostile/servers',
  'test/hostile/files',
  'test/hostile/objects',
  'test/gitops/controller-crds',
  'test/bundle/code-cache',
];

/**
 * Runs the longest files first, so that no core still runs one of them when the others are done. jest records the durations of
 * files, but in a fresh clone it orders them by size, which says little about their duration.
 */
export default class extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => LONGEST.findIndex((name) => path.includes(`/${name}.test.`)) >>> 0;
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
