import { IGNORE_WINDOWS_ANNOTATION, PAUSED_ANNOTATION } from './labels.js';

/** What a person asks for by annotations of the status ConfigMap. */
export interface ByHand {
  readonly paused: boolean;
  /** The value as it is; absent: there is none. */
  readonly ignoreWindowsUntil?: string | undefined;
}

/** @param annotations those of the status ConfigMap; undefined: there is none */
export function readByHand(annotations: Readonly<Record<string, string>> = {}): ByHand {
  const { [PAUSED_ANNOTATION]: paused = 'false', [IGNORE_WINDOWS_ANNOTATION]: ignoreWindowsUntil } = annotations;
  return { paused: paused !== 'false', ignoreWindowsUntil };
}
