import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/**
 * Writes generated TypeScript, formatted; with `--check` it writes nothing, and exits 1 if a file is stale.
 *
 * @param texts the text of each file, by its path
 * @param command the script of package.json that writes them
 */
export async function writeGenerated(texts: Readonly<Record<string, string>>, command: string): Promise<void> {
  for (const [path, given] of Object.entries(texts)) {
    const text = await format(given, { ...(await resolveConfig(path)), parser: 'typescript' });
    const isStale = !existsSync(path) || readFileSync(path, 'utf8') !== text;
    if (isStale && process.argv.includes('--check')) {
      process.stderr.write(`error: ${path} is stale: run \`npm run ${command}\`\n`);
      process.exitCode = 1;
    } else if (isStale) {
      writeFileSync(path, text);
      process.stderr.write(`${path}\n`);
    }
  }
}
