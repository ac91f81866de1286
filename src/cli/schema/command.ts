import type { Command } from 'commander';
import type { ExitCode, Io } from '../io.js';
import type { SchemaOptions } from './schema.js';

/** `weft schema`. It loads its code when it runs. */
export function addSchema(program: Command, io: Io, end: (code: ExitCode) => void): void {
  program
    .command('schema')
    .summary('JSON Schema of the input documents')
    .description('Prints the JSON Schema of a kind, or of all kinds, for editors.')
    .argument('[kind]', 'for instance NicClusterPolicy (default: all kinds in one schema)')
    .option('--partial', 'of documents that are merged with others: those of bases, and of clusters that extend them')
    .addHelpText(
      'after',
      `
Examples:
  weft schema > weft.schema.json
  weft schema Cluster

In a YAML file, for editors with yaml-language-server:
  # yaml-language-server: $schema=weft.schema.json`,
    )
    .action(async (kind: string | undefined, options: SchemaOptions) => {
      const { schema } = await import('./schema.js');
      end(schema(kind, options, io));
    });
}
