import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codes } from '../diagnostics/codes.js';
import { suggest } from '../diagnostics/suggest.js';
import { EXIT, type ExitCode, type Io } from './io.js';

/** `weft explain`: the page about a diagnostic. Codes may be given without `WEFT` and zeros. */
export function explain(given: string, io: Io): ExitCode {
  const digits = /^(?:weft)?0*(\d{1,4})$/i.exec(given)?.[1];
  const code = digits === undefined ? given.toUpperCase() : `WEFT${digits.padStart(4, '0')}`;
  const page = code in codes ? findPage(code) : undefined;
  if (page === undefined) {
    const candidate = suggest(code, Object.keys(codes));
    io.stderr(`error: there is no diagnostic \`${given}\`\n`);
    io.stderr(
      `help: ${candidate === undefined ? 'docs/errors/README.md lists all' : `did you mean \`${candidate}\`?`}\n`,
    );
    return EXIT.userError;
  }
  io.stdout(readFileSync(page, 'utf8'));
  return EXIT.ok;
}

/** The docs lie beside the bundle's folder in the package, and two folders up from here in the sources. */
function findPage(code: string): string | undefined {
  const candidates = [dirname(__dirname), dirname(dirname(__dirname))];
  return candidates.map((root) => join(root, 'docs', 'errors', `${code}.md`)).find((path) => existsSync(path));
}
