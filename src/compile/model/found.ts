import { type Code, diagnostic } from '../../shared/diagnostics/codes.js';
import { withoutSourceLine, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { Violation } from './config.js';

/** The diagnostic of a violation, located at its origin. */
export function found(code: Code, { origin, at, message, label, help, related, isSecret }: Violation): Diagnostic {
  const one = diagnostic(code, {
    message,
    location: origin.document.locate(origin.path, at),
    path: origin.path,
    label,
    help,
    ...(related && {
      related: { location: related.origin.document.locate(related.origin.path), message: related.message },
    }),
  });
  return isSecret === true ? withoutSourceLine(one) : one;
}
