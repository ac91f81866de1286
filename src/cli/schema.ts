import { schemaOf, schemaOfAll } from '../config/json-schema.js';
import { documentKinds } from '../config/kinds/kinds.js';
import { suggest } from '../diagnostics/suggest.js';
import { EXIT, type ExitCode, type Io } from './io.js';

/** `weft schema`: JSON Schema of one kind or of all. */
export function schema(kind: string | undefined, io: Io): ExitCode {
  const found = documentKinds.find((candidate) => candidate.kind.toLowerCase() === kind?.toLowerCase());
  if (kind !== undefined && !found) {
    const names = documentKinds.map((candidate) => candidate.kind);
    const candidate = suggest(kind, names);
    io.stderr(`error: Weft does not read documents of kind \`${kind}\`\n`);
    io.stderr(
      `help: ${candidate === undefined ? `known kinds: ${names.join(', ')}` : `did you mean \`${candidate}\`?`}\n`,
    );
    return EXIT.userError;
  }
  io.stdout(`${JSON.stringify(found ? schemaOf(found) : schemaOfAll(), null, 2)}\n`);
  return EXIT.ok;
}
