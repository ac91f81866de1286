import type { Command } from 'commander';
import { withProgramOptions } from '../shared-options.js';
import { DEFAULT_NAMESPACE } from '../../shared/contract/network-operator.js';

/** Adds the options of every command that reaches a cluster. */
export function withClusterOptions(command: Command): Command {
  const withCluster = command
    .option('-n, --namespace <name>', 'namespace of the companion', DEFAULT_NAMESPACE)
    .option(
      '--folder <path>',
      'folder of the cluster: its Cluster document names the namespace and, in access, the only cluster that is reached',
    )
    .option('--context <name>', 'context of the kubeconfig (default: the current one)')
    .option('--kubectl <command>', 'the kubectl to use', 'kubectl');
  return withProgramOptions(withCluster, false);
}

/** Adds the options of every command that changes a cluster. */
export function withChangeOptions(command: Command): Command {
  return withClusterOptions(command).option('-y, --yes', 'do not ask on a terminal whether this is the cluster');
}
