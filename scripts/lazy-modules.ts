import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** Parts of Node that are not loaded when it starts, and that only some runs need. */
const BUILTINS = ['child_process', 'crypto', 'fs/promises', 'os', 'timers/promises', 'v8', 'worker_threads'];

const NAMESPACE = 'lazy-module';
const require = createRequire(import.meta.url);

/**
 * Loads them when something of theirs is first used. Libraries require the parts of Node at their top, for what a run
 * never calls: commander and cdk8s for programs that they can start.
 */
export const lazyModules: Plugin = {
  name: 'lazy-modules',
  setup(build) {
    const filter = new RegExp(`^(?:node:)?(?:${BUILTINS.join('|')})$`);
    build.onResolve({ filter }, ({ path, namespace }) =>
      namespace === NAMESPACE ? { path, external: true } : { path: path.replace(/^node:/, ''), namespace: NAMESPACE },
    );
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({ contents: deferred(`node:${path}`) }));
  },
};

function deferred(name: string): string {
  const load = `require(${JSON.stringify(name)})`;
  const members = Object.entries(require(name) as object).map(([member, value]) => {
    // Some take functions from there at their top; a class must stay what it is.
    const isFunction = typeof value === 'function' && /^[a-z]/.test(member);
    return isFunction
      ? `${member}: (...args) => ${load}.${member}(...args)`
      : `get ${member}() { return ${load}.${member}; }`;
  });
  return `module.exports = { ${members.join(', ')} };`;
}
