/** Sources import each other as `x.js`, which is `x.ts`. Unlike what `moduleNameMapper` finds, jest remembers what this finds. */
module.exports = function resolve(path, options) {
  const isSource = /^\.\.?\/.*\.js$/.test(path) && !options.basedir.includes('/node_modules/');
  return options.defaultResolver(isSource ? path.slice(0, -'.js'.length) : path, options);
};
