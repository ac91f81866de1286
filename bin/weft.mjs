#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const bundle = fileURLToPath(new URL('../lib/weft.cjs', import.meta.url));
if (existsSync(bundle)) {
  createRequire(import.meta.url)(bundle);
} else {
  process.stderr.write('error: weft is not built\nhelp: run `npm ci && npm run build` in the folder of the package\n');
  process.exitCode = 2;
}
