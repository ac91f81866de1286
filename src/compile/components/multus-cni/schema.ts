import * as z from 'zod';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';
import { jsonTextOr } from '../../model/shapes/json-text.js';
import { CNI_VERSIONS } from '../../networks/cni/plugin-types.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

const text = z.string().optional();
const flag = z.boolean().optional();
const names = z.array(z.string()).optional();

const VERSIONS = `must be one of ${CNI_VERSIONS.map((one) => `\`${one}\``).join(', ')}`;

const logOptions = strictObject(() => ({
  maxAge: z.int().optional().describe('Days that old log files are kept.'),
  maxSize: z.int().optional().describe('Megabytes at which a new log file begins.'),
  maxBackups: z.int().optional().describe('Old log files that are kept.'),
  compress: flag.describe('Whether old log files are compressed.'),
}));

/** Configuration of Multus as data (multus-cni master, pkg/types/types.go `NetConf` and docs/configuration.md). */
export const multusConfig = strictObject(() => ({
  cniVersion: z
    .string()
    .refine((version) => version === '' || CNI_VERSIONS.includes(version), { error: VERSIONS })
    .optional()
    .describe('Version of the CNI specification.'),
  name: text.describe('Name of the network.'),
  type: z
    .string()
    .refine((type) => type === 'multus', { error: 'must be `multus`, the program on the nodes' })
    .optional()
    .describe('`multus`.'),
  kubeconfig: text.describe('Kubeconfig on the node: `multus.d/multus.kubeconfig` in the CNI configuration directory.'),
  delegates: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('CNI configurations of the default network; instead of `clusterNetwork`.'),
  clusterNetwork: text.describe('Default network: a network’s name, or a file or directory on the node.'),
  defaultNetworks: names.describe('Networks that every pod gets beside the default network.'),
  systemNamespaces: names.describe('Namespaces whose pods do not get `defaultNetworks`.'),
  multusNamespace: text.describe('Namespace of the networks that `clusterNetwork` and `defaultNetworks` name.'),
  namespaceIsolation: flag.describe('Whether pods may only use networks of their own namespace.'),
  globalNamespaces: text.describe('Namespaces whose networks all pods may use, with commas between them.'),
  capabilities: z
    .record(z.string(), z.boolean())
    .optional()
    .describe('What the delegates can, such as `portMappings`.'),
  readinessindicatorfile: text.describe('File on the node that says that the default network is ready.'),
  retryDeleteOnError: flag.describe('Whether a failed removal is tried again.'),
  confDir: text.describe('Directory on the node with further CNI configurations.'),
  cniDir: text.describe('Data directory on the node.'),
  binDir: text.describe('Further directory with CNI programs on the node.'),
  logFile: text.describe('Log file on the node.'),
  logLevel: text.describe('`debug`, `verbose`, `error` or `panic`.'),
  logToStderr: flag.describe('Whether to log to the standard error output.'),
  logOptions: logOptions.optional().describe('How log files are rotated.'),
})).superRefine(({ clusterNetwork, delegates = [] }, context) => {
  // No pod of a node starts without: pkg/types/conf.go `LoadNetConf`.
  if (!clusterNetwork && delegates.length === 0)
    context.addIssue({ code: 'custom', message: 'needs `clusterNetwork` or `delegates`, the default network of pods' });
});

/** The section `secondaryNetwork.multus` (network-operator b06827e0, api/v1alpha1 `MultusSpec`). */
export const schema = imageSpec
  .extend({
    config: jsonTextOr(multusConfig)
      .optional()
      .describe(
        'Configuration of Multus, as JSON text or as an object. Default: Multus makes one from the default network that it finds on the node.',
      ),
  })
  .describe('Multus, which gives pods further networks.');

/** The section with complete images. */
export type MultusCniSpec = WithImage<z.output<typeof schema>>;
