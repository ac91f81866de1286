import type { Command } from 'commander';

const DEFAULT_NAMESPACE = 'nvidia-network-operator';

/** Adds the options of every command that reaches a cluster. */
export function withClusterOptions(command: Command): Command {
  return command
    .option('-n, --namespace <name>', 'namespace of the companion', DEFAULT_NAMESPACE)
    .option('--context <name>', 'context of the kubeconfig (default: the current one)')
    .option('--kubectl <command>', 'the kubectl to use', 'kubectl');
}
