import { explainField, type ExplainedField } from '../../compile/config/explain-field.js';
import { findFields, type FoundField } from '../../compile/config/find-fields.js';
import { codes } from '../../shared/diagnostics/codes.js';
import { escapeLine } from '../../shared/lib/escape.js';
import { counted } from '../../shared/lib/listed.js';
import { askWhether, didYouMean } from '../../shared/diagnostics/suggest.js';
import { errorPage } from '../error-pages.js';
import { EXIT, usesColour, type ExitCode, type Io } from '../io.js';
import { terminalPage } from './terminal-page.js';

const CODE = /^(?:weft\w*|\d+)$/i;

/** `weft explain`: the page about a diagnostic, or a field of a document. Codes may be given without `WEFT` and zeros. */
export function explain(given: string, io: Io): ExitCode {
  return CODE.test(given) ? explainCode(given, io) : explainPath(given, io);
}

function explainCode(given: string, io: Io): ExitCode {
  const digits = /^(?:weft)?0*(\d{1,4})$/i.exec(given)?.[1];
  const code = digits === undefined ? given.toUpperCase() : `WEFT${digits.padStart(4, '0')}`;
  const page = code in codes ? errorPage(code) : undefined;
  if (page === undefined) {
    const known = Object.keys(codes);
    // If a digit too many was typed, the nearest code is the one without it.
    const begun = known.find((one) => given.toUpperCase().startsWith(one));
    const help =
      (begun === undefined ? didYouMean(code, known) : askWhether(begun)) ??
      'a diagnostic begins with its code: `error[WEFT0142]`';
    io.stderr(`error: there is no diagnostic \`${escapeLine(given)}\`\n`);
    io.stderr(`help: ${help}\n`);
    return EXIT.userError;
  }
  // Prints Markdown if standard output is not a terminal.
  io.stdout(io.isStdoutTerminal === true ? terminalPage(page, usesColour(io, 'stdout')) : page);
  return EXIT.ok;
}

function explainPath(given: string, io: Io): ExitCode {
  const found = explainField(given);
  if ('help' in found) {
    const byWord = findFields(given);
    if (byWord.length > 0) {
      io.stdout(foundText(given, byWord));
      return EXIT.ok;
    }
    io.stderr(`error: no document has a field \`${escapeLine(given)}\`\n`);
    io.stderr(`help: ${found.help}\n`);
    return EXIT.userError;
  }
  io.stdout(fieldText(found));
  return EXIT.ok;
}

const SHOWN = 40;

/** Fields that were found by a word, with their full paths. */
function foundText(given: string, found: readonly FoundField[]): string {
  const lines = found
    .slice(0, SHOWN)
    .flatMap(({ kind, path, type, description }) => [
      `  ${kind}.${path} <${type}>`,
      ...(description === '' ? [] : [`    ${description}`]),
    ]);
  const rest = found.length - SHOWN;
  return [
    `No field has this path. ${counted(found.length, 'field has', 'fields have')} \`${escapeLine(given)}\` in the name or description:`,
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more: add a word, as in \`weft explain "${escapeLine(given)} timeout"\``] : []),
    '',
  ].join('\n');
}

/** Weft has the definitions of custom resources without their texts. */
const WITHOUT_DESCRIPTION = 'None here: `kubectl explain` has it where the definition is installed.';

/** As `kubectl explain` prints a field. */
function fieldText(field: ExplainedField): string {
  const lines = [
    `KIND:     ${field.kind}`,
    `VERSION:  ${field.apiVersion}`,
    ...(field.otherKinds.length > 0 ? [`ALSO IN:  ${field.otherKinds.join(', ')}`] : []),
    '',
    ...(field.path === '' ? [] : [`FIELD:    ${field.path} <${field.type}>${defaultText(field)}`, '']),
    'DESCRIPTION:',
    `  ${field.description || WITHOUT_DESCRIPTION}`,
  ];
  if (field.fields.length > 0) lines.push('', 'FIELDS:');
  for (const inner of field.fields) {
    const required = inner.isRequired ? ' -required-' : '';
    lines.push(`  ${inner.key} <${inner.type}>${required}${defaultText(inner)}`);
    if (inner.description !== '') lines.push(`    ${inner.description}`, '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

const defaultText = (field: Pick<ExplainedField, 'default'>): string =>
  field.default === undefined ? '' : `, default ${field.default}`;
