import { createRequire } from 'node:module';

// jest exports it for CommonJS.
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Files that take longer than a few seconds, the longest first. */
const LONGEST = [
  'test/sim/cases/one-upgrade',
  'test/sim/invariants',
  'test/merges',
  'src/compile/load/program/program',
  'test/hostile/process',
  'test/docs',
  'test/ci-examples/ci-examples',
  'test/conformance/conformance',
  'test/hostile/memory',
  'src/compile/render/tree/write',
  'src/companion/runtime/kube-port/kube-port',
  'test/properties',
  'test/sim/cases/take-overs',
  'test/sim/cases/stuck-states',
  'test/sim/cases/full-clusters',
  'test/sim/cases/small-clusters',
  'test/sim/simulation',
  'test/tidy',
  'src/compile/config/json-schema',
  'src/cli/diff/diff',
  'test/cli',
  'test/docs-commands',
  'test/hostile/servers',
  'test/hostile/files',
  'test/hostile/objects',
  'test/patterns',
  'src/companion/runtime/kube-port/list-watch',
  'src/cli/upgrade/manual/manual',
  'test/gitops/controller-crds',
  'src/compile/config/rules/rules',
  'test/bundle/code-cache',
  'test/fleet',
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
