import { Option } from 'commander';

/** `--deny-warnings`. */
export function denyWarningsOption(): Option {
  return new Option('--deny-warnings', 'treat every warning as an error');
}

/** `--kubectl`. */
export function kubectlOption(description = 'with --live: the kubectl to use'): Option {
  return new Option('--kubectl <command>', description).default('kubectl');
}
