import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { Failure } from '../../shared/kube-client/answer.js';
import type { Answer } from '../../shared/kube-client/types.js';

/** An error that ends a command with exit code 2. */
export class Refusal extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** The cluster does not answer, or refuses the request. */
export function noAnswer({ kind, message }: Pick<Failure, 'kind' | 'message'>, help = helpOf(kind)): Diagnostic {
  return kind === 'endless'
    ? diagnostic('WEFT0066', { message, help: helpOf(kind) })
    : diagnostic('WEFT0391', { message, help });
}

function helpOf(kind: Failure['kind']): string {
  if (kind === 'endless') return "see what answers there: `kubectl get --raw '/api/v1/pods?limit=1'`";
  return kind === 'forbidden'
    ? 'ask for this right, which `kubectl auth can-i` shows, or name another cluster with `--context`'
    : 'try `kubectl version` with the same context, or name another cluster with `--context`';
}

/** The value of a response; an error ends the command. */
export function valueOf<Value>(answer: Answer<Value>, help?: string): Value {
  if (answer.kind === 'ok') return answer.value;
  throw new Refusal(noAnswer(answer, help));
}
