import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';

const FUNCTIONS = { sha1, sha256 };
const ENCODERS = {
  hex: (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  base64: (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes)),
};

/** What the generator and cdk8s use of the module `crypto` of Node: a browser computes hashes only in promises. */
export function createHash(algorithm: keyof typeof FUNCTIONS) {
  const hash = FUNCTIONS[algorithm].create();
  const made = {
    update: (content: string | Uint8Array) => {
      hash.update(typeof content === 'string' ? new TextEncoder().encode(content) : content);
      return made;
    },
    digest: (encoding: keyof typeof ENCODERS) => ENCODERS[encoding](hash.digest()),
  };
  return made;
}
