import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/** Parts of Node that are not loaded when it starts, and that only some runs need. */
const BUILTINS = ['child_process', 'crypto', 'fs/promises', 'os', 'stream/consumers', 'timers/promises', 'v8'];

/**
 * Loads them when something of theirs is first used. Libraries require them at their top, for what a run never calls:
 * commander and cdk8s for programs that they can start. Together that is a tenth of a short run.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    const filter = new RegExp(`^(?:node:)?(?:${BUILTINS.join('|')})$`);
    build.onResolve({ filter }, ({ path, namespace }) =>
      namespace === 'lazy-builtin'
        ? { path, external: true }
        : { path: path.replace(/^node:/, ''), namespace: 'lazy-builtin' },
    );
    build.onLoad({ filter: /.*/, namespace: 'lazy-builtin' }, ({ path }) => ({ contents: deferred(path) }));
  },
};

function deferred(builtin: string): string {
  const require = createRequire(import.meta.url);
  const load = `require(${JSON.stringify(`node:${builtin}`)})`;
  const members = Object.entries(require(builtin) as object).map(([name, value]) => {
    // Some take functions from there at their top; a class must stay what it is.
    const isFunction = typeof value === 'function' && /^[a-z]/.test(name);
    return isFunction ? `${name}: (...args) => ${load}.${name}(...args)` : `get ${name}() { return ${load}.${name}; }`;
  });
  return `module.exports = { ${members.join(', ')} };`;
}
