import { resolve } from '../../src/compile/config/resolve.js';
import { asSource, throwErrors } from '../../src/compile/constructs/parts/typed-documents.js';
import { denyWarnings } from '../../src/shared/diagnostics/deny.js';
import type { Diagnostic } from '../../src/shared/diagnostics/diagnostic.js';
import type { Config } from '../../src/compile/model/config.js';
import type { InputDocument } from '../../src/compile/model/input.js';

/**
 * The configuration that a `Cluster` can be made from: one Cluster document, and policies and networks in any order. The same
 * schemas and rules as for files.
 *
 * @throws InvalidConfigError when a document has an error. Warnings go to `onWarnings`, if given.
 */
export function resolveConfig(
  documents: readonly InputDocument[],
  onWarnings: (warnings: readonly Diagnostic[]) => void = () => undefined,
): Config {
  const { config, diagnostics: found } = resolve({ documents: documents.map(asSource), diagnostics: [] });
  const diagnostics = denyWarnings(found, config?.cluster.spec.denyWarnings ?? []);
  throwErrors(diagnostics);
  if (!config) throw new Error('documents without errors have no configuration');
  if (diagnostics.length > 0) onWarnings(diagnostics);
  return config;
}
