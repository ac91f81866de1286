import { partialSchema, schemaOfAll, schemaOfEach } from '../../compile/config/json-schema.js';
import { customKinds } from '../../compile/config/kinds/extra-object.js';
import { CLUSTER_BASE } from '../../compile/model/cluster.js';
import { documentKinds } from '../../compile/config/kinds/kinds.js';
import { escapeLine } from '../../shared/lib/escape.js';
import { askWhether, suggest } from '../../shared/diagnostics/suggest.js';
import { EXIT, type ExitCode, type Io } from '../io.js';

export interface SchemaOptions {
  /** Of documents that are merged with others. */
  readonly partial?: boolean;
}

/** `weft schema`: JSON Schema of one kind or of all. */
export function schema(kind: string | undefined, { partial = false }: SchemaOptions, io: Io): ExitCode {
  const kinds = [...documentKinds, ...customKinds()];
  const wanted = kind?.toLowerCase();
  const found = kinds.filter(
    (one) => one.kind.toLowerCase() === (wanted === CLUSTER_BASE.toLowerCase() && partial ? 'cluster' : wanted),
  );
  if (kind !== undefined && found.length === 0) {
    const names = [...new Set(kinds.map((candidate) => candidate.kind))];
    const candidate = names.find((name) => isPartOf(kind, name)) ?? suggest(kind, names);
    const known = `there are ${names.join(', ')}; objects of other kinds go to the output as they are`;
    io.stderr(`error: there is no schema of a kind \`${escapeLine(kind)}\`\n`);
    io.stderr(`help: ${candidate === undefined ? known : askWhether(candidate)}\n`);
    return EXIT.userError;
  }
  const complete = kind === undefined ? schemaOfAll() : schemaOfEach(found);
  io.stdout(`${JSON.stringify(partial ? partialSchema(complete) : complete, null, 2)}\n`);
  return EXIT.ok;
}

function isPartOf(given: string, name: string): boolean {
  return given.length > 2 && name.toLowerCase().includes(given.toLowerCase());
}
