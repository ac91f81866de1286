import { diagnostic } from '../../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../../shared/diagnostics/diagnostic.js';
import type { TextPlaces } from './text.js';

/** One diagnostic for a file of Helm or Jinja templates, whose expressions are several errors of YAML each. */
export function templateNotRendered(places: TextPlaces): Diagnostic | undefined {
  const { text } = places;
  const start = /^[ \t]*(?:\{\{|\{%)|:[ \t]*\{\{[^{]/m.exec(text);
  if (start === null) return undefined;
  const at = text.indexOf('{', start.index);
  return diagnostic('WEFT0329', {
    message: 'the file is a template, and Weft renders none',
    location: places.locate(at, at + 2),
    help: 'render it first, with `helm template` or the program that it is for, and put the result here',
  });
}
