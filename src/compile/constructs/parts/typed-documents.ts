import { isError, type Diagnostic } from '../../../shared/diagnostics/diagnostic.js';
import { renderText } from '../../../shared/diagnostics/render/text.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';
import type { InputDocument } from '../../model/input.js';

/**
 * Documents or props have errors. The message is the output of `weft synth`; `diagnostics` has the same as data. Their
 * `location.file` is the path of the construct, or kind and name of the document.
 */
export class InvalidConfigError extends Error {
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(renderText(diagnostics, { colour: false }));
    this.name = 'InvalidConfigError';
  }
}

/** @throws InvalidConfigError when there is an error; it also has the warnings. */
export function throwErrors(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.some(isError)) throw new InvalidConfigError(diagnostics);
}

/** Objects have no source text: their place is their kind and name. */
export function asSource(document: InputDocument | null | undefined): SourceDocument {
  const { kind = 'document', metadata } = (document ?? {}) as { kind?: string; metadata?: { name?: string } };
  return sourceAt(`${kind}/${metadata?.name ?? ''}`, document);
}

/** A document that is located at one place, such as a construct. */
export function sourceAt(file: string, value: unknown): SourceDocument {
  return { file, value, locate: () => ({ file }) };
}
