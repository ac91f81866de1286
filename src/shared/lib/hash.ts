import { createHash } from 'node:crypto';

/** Letters that cannot form words, from which Kubernetes builds safe names (apimachinery pkg/util/rand, v0.36). */
const SAFE_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The operator's short hash of a kernel version or a policy name: FNV-1a in decimal, letter by letter made safe for names
 * (network-operator b06827e0, pkg/state/state_skel.go `getStringHash`). Same input, same DaemonSet name: the DaemonSets
 * of the operator are adopted and not replaced.
 */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return String(hash).replace(/\d/g, (digit) => SAFE_LETTERS.charAt(digit.charCodeAt(0) % SAFE_LETTERS.length));
}

/** SHA-256 in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The operator's hash of a configuration: base64 of SHA-256 (network-operator b06827e0, pkg/utils/utils.go). */
export function configHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64');
}
