import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';

/**
 * What npm runs after `npm ci`, when it packs, and before the first `npx weft` in a clone, which needs only the command. npm hides what
 * scripts print in the last case, so a terminal is told directly.
 */
const isForNpx = process.env['npm_command'] === 'exec';
const run = (script: string) => execFileSync('npm', ['run', '--silent', script], { stdio: 'inherit' });

function say(text: string): void {
  process.stderr.write(text);
  try {
    writeFileSync('/dev/tty', text);
  } catch {
    // There is no terminal.
  }
}

if (!isForNpx) {
  run('build');
  run('build:types');
} else if (!existsSync('lib/weft.cjs') || !existsSync('lib/companion.cjs')) {
  say('weft: the first `npx weft` in a clone builds it, which takes half a minute …\n');
  try {
    run('build');
    say('weft: built\n');
  } catch (error) {
    say('weft: the build failed: `npm ci && npm run build` says why\n');
    throw error;
  }
}
