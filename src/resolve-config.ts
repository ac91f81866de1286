import type { Config } from './model/config.js';
import { resolve } from './config/resolve.js';
import type { SourceDocument } from './load/yaml/yaml.js';
import { denyWarnings } from './diagnostics/deny.js';
import { isError, type Diagnostic } from './diagnostics/diagnostic.js';
import { renderText } from './diagnostics/render/text.js';
import type { InputDocument } from './model/input.js';

/** The documents have errors; the message is what `weft synth` would print, `diagnostics` the same as data. */
export class InvalidConfigError extends Error {
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(renderText(diagnostics, { colour: false }));
    this.name = 'InvalidConfigError';
  }
}

/**
 * The configuration that constructs are made from: one Cluster document, and policies and networks in any order. The same
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
  if (!config || diagnostics.some(isError)) throw new InvalidConfigError(diagnostics);
  if (diagnostics.length > 0) onWarnings(diagnostics);
  return config;
}

/** Objects have no text to point at: their place is their kind and name. */
function asSource(document: InputDocument | null | undefined): SourceDocument {
  const { kind = 'document', metadata } = (document ?? {}) as { kind?: string; metadata?: { name?: string } };
  const file = `${kind}/${metadata?.name ?? ''}`;
  return { file, value: document, locate: () => ({ file }) };
}
