import { InvalidArgumentError, Option, type Command } from 'commander';
import { diagnosticFormats, type DiagnosticFormat } from '../shared/diagnostics/render/render.js';
import { isDnsSubdomain } from '../shared/kubernetes/names.js';

/** `--deny-warnings`. */
export function denyWarningsOption(): Option {
  return new Option('--deny-warnings', 'treat every warning as an error');
}

/** `--format`. */
export function formatOption(): Option {
  return new Option('--format <format>', 'form of the diagnostics on standard error')
    .choices(diagnosticFormats)
    .default('text' satisfies DiagnosticFormat);
}

/** `--kubectl`. */
export function kubectlOption(description = 'with --live: the kubectl to use'): Option {
  return new Option('--kubectl <command>', description).default('kubectl');
}

/**
 * Adds `--programs` and `--no-programs`. A command takes both, so that a script can name either; the help shows the one that changes
 * something.
 *
 * @param isDefault whether the command runs programs without either
 */
export function withProgramOptions(command: Command, isDefault: boolean): Command {
  // The default is that of the option which is added first.
  const refuse = new Option('--no-programs', 'run no program: a cluster.ts is an error').default(isDefault);
  const run = new Option('--programs', 'run programs, such as cluster.ts (default: they are an error)');
  return command.addOption(refuse.hideHelp(!isDefault)).addOption(run.hideHelp(isDefault));
}

/** The name of a Cluster document, which is refused before anything is written with it. */
export function parseClusterName(text: string): string {
  if (!isDnsSubdomain(text))
    throw new InvalidArgumentError('It must be lower-case letters, digits, `-` and `.`, at most 253 of them.');
  return text;
}
