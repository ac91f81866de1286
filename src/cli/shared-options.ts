import { InvalidArgumentError, Option } from 'commander';
import { isDnsSubdomain } from '../kubernetes/names.js';

/** `--deny-warnings`. */
export function denyWarningsOption(): Option {
  return new Option('--deny-warnings', 'treat every warning as an error');
}

/** `--kubectl`. */
export function kubectlOption(description = 'with --live: the kubectl to use'): Option {
  return new Option('--kubectl <command>', description).default('kubectl');
}

/** The name of a Cluster document, which is refused before anything is written with it. */
export function parseClusterName(text: string): string {
  if (!isDnsSubdomain(text))
    throw new InvalidArgumentError('It must be lower-case letters, digits, `-` and `.`, at most 253 of them.');
  return text;
}
