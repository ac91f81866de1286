/** Sources import each other as `x.js`, which is `x.ts`. jest caches the results of a resolver, but not those of `moduleNameMapper`. */
module.exports = function resolve(path, options) {
  const isSource = /^\.\.?\/.*\.js$/.test(path) && !options.basedir.includes('/node_modules/');
  return options.defaultResolver(isSource ? path.slice(0, -'.js'.length) : path, options);
};
