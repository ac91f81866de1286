#!/usr/bin/env node
// Starts the bundled command. CommonJS, because Node starts it sooner than a module.
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { requireCompiled } = require('./compiled-code.cjs');

const bundle = join(__dirname, '../lib/weft.cjs');
if (existsSync(bundle)) {
  requireCompiled(bundle, join(__dirname, '../lib/cache')).main();
} else {
  process.stderr.write(
    'error: weft is not built\nhelp: run `npm ci && npm run build` in a clone; npm builds a package from git only without --ignore-scripts\n',
  );
  process.exitCode = 2;
}
