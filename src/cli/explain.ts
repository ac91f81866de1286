import { codes } from '../diagnostics/codes.js';
import { askWhether, didYouMean } from '../diagnostics/suggest.js';
import { errorPage } from './error-pages.js';
import { EXIT, type ExitCode, type Io } from './io.js';

/** `weft explain`: the page about a diagnostic. Codes may be given without `WEFT` and zeros. */
export function explain(given: string, io: Io): ExitCode {
  const digits = /^(?:weft)?0*(\d{1,4})$/i.exec(given)?.[1];
  const code = digits === undefined ? given.toUpperCase() : `WEFT${digits.padStart(4, '0')}`;
  const page = code in codes ? errorPage(code) : undefined;
  if (page === undefined) {
    const known = Object.keys(codes);
    // With a digit too many no other code is nearer than the one that it begins with.
    const begun = known.find((one) => given.toUpperCase().startsWith(one));
    const help =
      (begun === undefined ? didYouMean(code, known) : askWhether(begun)) ??
      'a diagnostic begins with its code: `error[WEFT0142]`';
    io.stderr(`error: there is no diagnostic \`${given}\`\n`);
    io.stderr(`help: ${help}\n`);
    return EXIT.userError;
  }
  io.stdout(page);
  return EXIT.ok;
}
