// Compiling the bundle takes longer than most runs, so the code that V8 compiled is kept in a folder, as V8's cached data
// (docs/adr/0013-cold-run.md). Where the folder cannot be written, every run compiles anew.
'use strict';
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');

/** The commands that run long enough for a file of their own: each runs other functions of the bundle. */
const COMMANDS = ['synth', 'diff', 'pools'];

/** Far more than a run for one cluster takes. */
const LONG_RUN_MS = 3_000;

/**
 * The exports of the bundle.
 *
 * @param folder for the compiled code
 */
exports.requireCompiled = (filename, folder) => {
  const bundle = compiled(filename, folder);
  const module = { exports: {} };
  bundle(module.exports, createRequire(filename), module, filename, dirname(filename));
  return module.exports;
};

function compiled(filename, folder) {
  const isHelp = process.argv.some((word) => word === '--help' || word === '-h');
  const command = COMMANDS.find((name) => name === process.argv[2] && !isHelp) ?? 'other';
  // V8 rejects code of other flags, versions and processors; under one name, runs with and without a flag would replace each other's.
  const cache = join(folder, `${command}-${process.version}-${cachedDataVersionTag().toString(16)}`);
  // The bundle is ASCII, so Latin-1 needs no decoding, and V8 can use this text as it is, outside of its heap.
  const source = readFileSync(filename, 'latin1');
  const cachedData = readCache(cache, source);
  const script = new Script(source, { filename, cachedData });
  if (!cachedData || script.cachedDataRejected) whenFunctionsRan(() => writeCache(cache, source, script));
  return script.runInThisContext();
}

/**
 * V8's cached data has the functions that ran. A run that found an error early has run few of them; a run of many clusters runs
 * most of them in its first seconds, and later V8 drops those that have not run for long.
 */
function whenFunctionsRan(write) {
  const atExit = (code) => {
    if (code === 0 || code === 1) write();
  };
  process.once('exit', atExit);
  const afterSeconds = () => {
    process.off('exit', atExit);
    write();
  };
  setTimeout(afterSeconds, LONG_RUN_MS).unref();
}

/**
 * The first line of the file: the hash with which the bundle begins, because V8 would take the code of another bundle of
 * the same length; and a hash of the code, because V8 runs damaged code until it crashes.
 */
function headOf(source, code) {
  const digest = require('node:crypto').createHash('sha256').update(code).digest('hex');
  return Buffer.from(`${source.slice(0, source.indexOf('\n'))} ${digest}\n`);
}

function readCache(cache, source) {
  try {
    const data = readFileSync(cache);
    const code = data.subarray(data.indexOf('\n') + 1);
    const head = headOf(source, code);
    return data.subarray(0, head.length).equals(head) ? code : undefined;
  } catch {
    return undefined;
  }
}

function writeCache(cache, source, script) {
  const temporary = `${cache}.${process.pid}`;
  try {
    mkdirSync(dirname(cache), { recursive: true });
    const code = script.createCachedData();
    try {
      writeFileSync(temporary, Buffer.concat([headOf(source, code), code]));
      renameSync(temporary, cache);
    } catch {
      // Remove an incomplete file, for instance after a full disk.
      rmSync(temporary, { force: true });
    }
  } catch {
    // Every run compiles anew.
  }
}
