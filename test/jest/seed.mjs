import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

/**
 * The seed of a run's random input, for all of its files: that of the commit, so that a commit passes or fails the same each
 * time, and each commit tries other input. WEFT_SEED=N repeats another run, WEFT_SEED=random draws one.
 */
export default function chooseSeed() {
  const given = process.env['WEFT_SEED'] ?? ofCommit() ?? 'random';
  process.env['WEFT_SEED'] = given === 'random' ? String(randomInt(2 ** 31)) : given;
  // On an older Node the command would say so in each of its outputs.
  process.env['NODE_NO_WARNINGS'] = '1';
  process.stderr.write(`random input: WEFT_SEED=${process.env['WEFT_SEED']}\n`);
}

function ofCommit() {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return String(Number.parseInt(commit.slice(0, 7), 16));
  } catch {
    // This is not a clone.
    return undefined;
  }
}
