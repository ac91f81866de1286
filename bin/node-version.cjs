// What the command says of the version of Node that runs it.
'use strict';

/** As `engines` in package.json. */
exports.SUPPORTED_FROM = 22;
/** An older Node lacks functions that the bundle calls. */
exports.WORKS_FROM = 20;

/**
 * One line for an older Node than the one that Weft is tested with; undefined for the others.
 *
 * @param version as `process.versions.node`
 * @returns `isError` where the command would not work
 */
exports.oldNode = (version) => {
  const major = Number.parseInt(version, 10);
  if (major >= exports.SUPPORTED_FROM) return undefined;
  const isError = major < exports.WORKS_FROM;
  const rest = isError ? '' : '; it is not tested with this one';
  return {
    isError,
    line: `${isError ? 'error' : 'warning'}: weft needs Node ${exports.SUPPORTED_FROM} or newer, and this is Node ${version}${rest}\n`,
  };
};
