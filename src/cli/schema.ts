import { schemaOfAll, schemaOfEach } from '../compile/config/json-schema.js';
import { customKinds } from '../compile/config/kinds/extra-object.js';
import { documentKinds } from '../compile/config/kinds/kinds.js';
import { escapeLine } from '../shared/lib/escape.js';
import { askWhether, suggest } from '../shared/diagnostics/suggest.js';
import { EXIT, type ExitCode, type Io } from './io.js';

/** `weft schema`: JSON Schema of one kind or of all. */
export function schema(kind: string | undefined, io: Io): ExitCode {
  const kinds = [...documentKinds, ...customKinds()];
  const found = kinds.filter((candidate) => candidate.kind.toLowerCase() === kind?.toLowerCase());
  if (kind !== undefined && found.length === 0) {
    const names = [...new Set(kinds.map((candidate) => candidate.kind))];
    const candidate = names.find((name) => isPartOf(kind, name)) ?? suggest(kind, names);
    const known = `there are ${names.join(', ')}; objects of other kinds go to the output as they are`;
    io.stderr(`error: there is no schema of a kind \`${escapeLine(kind)}\`\n`);
    io.stderr(`help: ${candidate === undefined ? known : askWhether(candidate)}\n`);
    return EXIT.userError;
  }
  io.stdout(`${JSON.stringify(kind === undefined ? schemaOfAll() : schemaOfEach(found), null, 2)}\n`);
  return EXIT.ok;
}

function isPartOf(given: string, name: string): boolean {
  return given.length > 2 && name.toLowerCase().includes(given.toLowerCase());
}
