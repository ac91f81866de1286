#!/usr/bin/env node
// Starts the bundled command. CommonJS, because Node starts it sooner than a module.
'use strict';
const { oldNode } = require('./node-version.cjs');

const old = oldNode(process.versions.node);
// The variable that silences the warnings of Node itself.
if (old && (old.isError || process.env.NODE_NO_WARNINGS !== '1')) process.stderr.write(old.line);
if (old && old.isError) process.exitCode = 2;
else start();

/** An old Node lacks modules that this needs. */
function start() {
  const { existsSync } = require('node:fs');
  const { join } = require('node:path');
  const bundle = join(__dirname, '../lib/weft.cjs');
  if (existsSync(bundle)) {
    require('./compiled-code.cjs').requireCompiled(bundle, join(__dirname, '../lib/cache')).main();
    return;
  }
  process.stderr.write(
    'error: weft is not built\nhelp: run `npm ci && npm run build` in a clone; npm builds a package from git only without --ignore-scripts\n',
  );
  process.exitCode = 2;
}
