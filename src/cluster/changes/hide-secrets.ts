import { holdsSecret } from '../../shared/kubernetes/secret-text.js';
import { isObject } from '../../shared/lib/json.js';

/** In the place of what a Secret holds: a diff is printed in logs and pull requests. */
export const HIDDEN = '(hidden)';
const VALUES = ['data', 'stringData'];

/** Whether a value is a Secret; it may stand in another object, or in a text in JSON. */
export function isSecret(value: unknown): boolean {
  return isObject(value) && value['kind'] === 'Secret' && value['apiVersion'] === 'v1';
}

/** Fields of a Secret with what it holds: its annotations may repeat it. */
export function isSecretField(key: string): boolean {
  return VALUES.includes(key) || key === 'annotations';
}

/**
 * A value that comes or goes, without what Secrets in it hold.
 *
 * @param isInSecret whether it is a part of one. Default: false
 */
export function withoutSecrets(value: unknown, isInSecret = false): unknown {
  if (typeof value === 'string') return holdsSecret(value) ? HIDDEN : value;
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one));
  if (!isObject(value)) return value;
  const holds = isInSecret || isSecret(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      holds && isSecretField(key) ? HIDDEN : withoutSecrets(inner, holds && key === 'metadata'),
    ]),
  );
}
