#!/usr/bin/env node
// Starts the bundled command. Compiling it takes longer than most runs, so the compiled code is kept in a file beside the
// bundle, one for each version of Node and for each of the longer commands, which run other parts of the bundle; where that
// file cannot be written, every run compiles anew. CommonJS, because Node starts it sooner than a module.
'use strict';
const { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

const lib = join(__dirname, '../lib');
const isHelp = process.argv.some((word) => word === '--help' || word === '-h');
const command = ['synth', 'diff', 'pools'].find((name) => name === process.argv[2] && !isHelp) ?? 'other';
const isQuick = command === 'synth' || command === 'diff';
const isList = process.argv.some((word) => /^(?:-o|--output(?:$|=))/.test(word));

/**
 * Most runs are over before optimized code has paid for itself, and V8 (Node 20) lets their short-lived objects pile up to
 * three times 16 MiB: together 40 % of the processor time and 30 % of the memory of a run for 100 objects. A run that turns
 * out to be long takes it back (src/cli/long-run.ts). Before V8 collects its other objects they may grow to a multiple of what
 * was alive, and to another one on each run; with one and a half times as much, large documents take two thirds of the memory and no
 * more time.
 */
function preferShortRuns() {
  setFlagsFromString('--no-opt');
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}

/**
 * What stands before the compiled code: the hash that the bundle begins with, because V8 alone would take the code of another
 * bundle of the same length; and one of the code, because V8 runs damaged code until it crashes.
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
    // V8 takes compiled code only under the flags under which it was kept.
    preferShortRuns();
    const code = script.createCachedData();
    try {
      writeFileSync(temporary, Buffer.concat([headOf(source, code), code]));
      renameSync(temporary, cache);
    } catch {
      // What was begun is not left behind, as on a full disk.
      rmSync(temporary, { force: true });
    }
  } catch {
    // Every run compiles anew.
  }
}

/**
 * Evaluates a bundle of lib/.
 *
 * @param kept what its compiled code is kept as
 * @param isWorthKeeping asked with the exit code: a run that found an error early has run few functions
 */
function load(bundle, kept, isWorthKeeping) {
  const filename = join(lib, bundle);
  const cache = join(lib, `cache/${kept}-${process.version}-${process.arch}`);
  // The bundle is ASCII, which Latin-1 reads without looking for characters of several bytes.
  const source = readFileSync(filename, 'latin1');
  const cachedData = readCache(cache, source);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename,
    cachedData,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, requireBeside, module, filename, lib);
  // At the end, so that the functions that ran are in it.
  if (!cachedData || script.cachedDataRejected) {
    process.once('exit', (code) => {
      if (isWorthKeeping(code)) writeCache(cache, source, script);
    });
  }
  return module.exports;
}

/** Without an error; 1 says that there are differences. */
const hasRunThrough = (code) => code === 0 || code === 1;

let thorough;

/** The quick bundle leaves what does not hold to the other one, which then mostly ends with an error. */
function requireBeside(name) {
  if (name !== './weft.cjs') return require(name);
  thorough ??= load('weft.cjs', `${command}-thorough`, () => true);
  return thorough;
}

/** Node compiles what it loads after a change of flags anew, instead of taking it from its own cache. */
function loadAhead() {
  void process.stdout;
  void process.stderr;
  require('node:crypto');
}

if (['weft.cjs', 'quick.cjs'].every((bundle) => existsSync(join(lib, bundle)))) {
  loadAhead();
  preferShortRuns();
  load(isQuick ? 'quick.cjs' : 'weft.cjs', isList ? `${command}-list` : command, hasRunThrough).main();
} else {
  process.stderr.write('error: weft is not built\nhelp: run `npm ci && npm run build` in the folder of the package\n');
  process.exitCode = 2;
}
